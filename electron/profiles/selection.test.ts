import { describe, expect, it } from 'vitest'

import { activeProfile, chosenProfile } from './selection.ts'

describe('chosenProfile', () => {
  it.each<[string | null, string | null | undefined, string | undefined, string, string]>([
    [null, undefined, undefined, 'default', 'default'],
    [null, undefined, ' mine ', 'mine', 'environment'],
    [null, undefined, 'user_personalities/mine', 'mine', 'environment'],
    [null, undefined, 'user_personalities/../x', '../x', 'environment'],
    ['app', undefined, 'mine', 'app', 'app'],
    ['app', 'startup', 'mine', 'app', 'app'],
    ['  ', undefined, 'mine', 'mine', 'environment'],
    [null, 'user_personalities/startup', 'mine', 'startup', 'environment'],
    // The file is there, and says nothing that can be used.
    [null, null, 'mine', 'default', 'default'],
    [null, ' ', 'mine', 'default', 'default'],
  ])('app %j, startup file %j, environment %j → %s (%s)', (app, startup, environment, name, from) => {
    expect(chosenProfile(app, startup, environment)).toEqual({ name, from })
  })
})

describe('activeProfile', () => {
  const problem = { code: 'profile/not-found' as const }

  it('is default where the chosen one cannot be used', () => {
    expect(activeProfile({ name: 'mine', from: 'app' }, null)).toEqual({ active: 'mine', activeFrom: 'app' })
    expect(activeProfile({ name: 'mine', from: 'app' }, problem)).toEqual({
      active: 'default',
      activeFrom: 'fallback',
      wanted: 'mine',
      problem,
    })
    expect(activeProfile({ name: 'default', from: 'default' }, problem)).toMatchObject({ active: 'default', problem })
  })
})
