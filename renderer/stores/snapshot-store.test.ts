import { describe, expect, it } from 'vitest'

import { useProfiles } from './profiles.ts'
import { isNewer } from './snapshot-store.ts'

import type { ProfilesSnapshot } from '../../electron/contract/index.ts'

const snapshot = (version: number, active: string): ProfilesSnapshot => ({
  version,
  active,
  activeFrom: 'app',
  profiles: [],
})

describe('isNewer', () => {
  it.each([
    [null, 0, true],
    [{ version: 3 }, 4, true],
    [{ version: 3 }, 3, true],
    [{ version: 3 }, 2, false],
  ])('over %j comes version %i: %s', (held, version, expected) => {
    expect(isNewer(held, { version })).toBe(expected)
  })
})

describe('a snapshot store', () => {
  it('does not let an answer that was overtaken by an event win', () => {
    const { accept } = useProfiles.getState()
    accept(snapshot(5, 'from the event'))
    accept(snapshot(4, 'from the late answer'))
    expect(useProfiles.getState().snapshot?.active).toBe('from the event')
  })
})
