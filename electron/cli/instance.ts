import { stat } from 'node:fs/promises'
import path from 'node:path'

import { CompanionError } from '../contract/index.ts'
import { MANIFEST_NAME, placesIn } from '../spaces/index.ts'

/**
 * The list of Spaces that `--instance DIR` means: in the folder itself, or where the robot's own app keeps it below a folder
 * (`external_content/`, its Python package); a new one in the folder when there is none yet.
 *
 * @param given relative to `cwd`
 * @returns absolute path of an `installed_tool_spaces.json`
 * @throws CompanionError `manifest/instance-gone` when there is no such folder.
 */
export async function instanceManifest(given: string, cwd: string): Promise<string> {
  const named = path.resolve(cwd, given)
  for (const place of await placesIn(named)) if ((await kindOf(place)) === 'file') return place
  if ((await kindOf(named)) !== 'folder') throw new CompanionError('manifest/instance-gone', { path: named })
  return path.join(named, MANIFEST_NAME)
}

async function kindOf(place: string): Promise<'file' | 'folder' | 'none'> {
  try {
    const stats = await stat(place)
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'none'
  } catch (error) {
    // Not there, or not for us to see.
    if (error instanceof Error && 'code' in error) return 'none'
    throw error
  }
}
