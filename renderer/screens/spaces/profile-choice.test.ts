import { describe, expect, it } from 'vitest'

import { profilesAtFirst } from './profile-choice.ts'

describe('profilesAtFirst', () => {
  it.each<[string, string | undefined, readonly string[], Parameters<typeof profilesAtFirst>[2], string[]]>([
    ['the active one, when nothing was chosen before', 'default', ['default', 'kids'], null, ['default']],
    [
      'the last choice',
      'default',
      ['default', 'kids'],
      { active: 'default', chosen: ['default', 'kids'] },
      ['default', 'kids'],
    ],
    ['none, when none was chosen', 'default', ['default', 'kids'], { active: 'default', chosen: [] }, []],
    [
      'the active one, when another was active then',
      'kids',
      ['default', 'kids'],
      { active: 'default', chosen: ['default'] },
      ['kids'],
    ],
    [
      'without a profile that is gone',
      'default',
      ['default'],
      { active: 'default', chosen: ['default', 'kids'] },
      ['default'],
    ],
    [
      'the active one, when all that were chosen are gone',
      'default',
      ['default'],
      { active: 'default', chosen: ['kids'] },
      ['default'],
    ],
    ['none, while the profiles are not known', undefined, [], null, []],
  ])('%s', (_, active, usable, last, expected) => {
    expect(profilesAtFirst(active, usable, last)).toEqual(expected)
  })
})
