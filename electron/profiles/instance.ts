/** A folder of the robot's own app, whose profiles are edited in place. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'

import { profileFoldersIn } from './roots.ts'
import { isBelow } from './text-file.ts'

import type { Root } from './roots.ts'

/**
 * Where the robot's app keeps profiles below a folder that a person points at, nearest first: the folder itself; what a
 * person made, beside the app's settings or in its `external_content`; a checkout's own ones
 * (https://github.com/pollen-robotics/reachy_mini_conversation_app). With each the file of tool lists that goes before
 * the lists of the profiles from version 0.11 on, and what their names begin with there.
 */
const LAYOUT: ReadonlyArray<{ sub: string; toolsets: string; prefix: string }> = [
  { sub: '', toolsets: 'profile_toolsets.json', prefix: '' },
  { sub: 'user_personalities', toolsets: 'profile_toolsets.json', prefix: 'user_personalities/' },
  {
    sub: 'external_content/user_personalities',
    toolsets: 'external_content/profile_toolsets.json',
    prefix: 'user_personalities/',
  },
  { sub: 'external_content/external_profiles', toolsets: 'external_content/profile_toolsets.json', prefix: '' },
  { sub: 'profiles', toolsets: 'profile_toolsets.json', prefix: '' },
  { sub: 'profiles/user_personalities', toolsets: 'profile_toolsets.json', prefix: 'user_personalities/' },
]

/** All places below `folder` that can hold profiles, whether they exist or not. */
export function possibleRoots(folder: string): Root[] {
  return LAYOUT.map(({ sub, toolsets, prefix }) => ({
    source: 'external',
    dir: path.join(folder, sub),
    toolsets: { file: path.join(folder, toolsets), prefix },
  }))
}

/** Those that hold a profile now. One that is a link out of the folder is left out: nobody pointed at where it leads. */
export async function rootsInFolder(folder: string): Promise<Root[]> {
  const found = await Promise.all(
    possibleRoots(folder).map(async (root) => {
      const holdsProfiles = (await profileFoldersIn(root.dir)).length > 0
      return holdsProfiles && (await isInside(folder, root.dir)) ? [root] : []
    }),
  )
  return found.flat()
}

async function isInside(folder: string, dir: string): Promise<boolean> {
  const [real, realFolder] = await Promise.all([realpath(dir), realpath(folder)])
  return real === realFolder || isBelow(realFolder, real)
}
