import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import type { RunningApp } from './app.ts'

const shippedDir = path.resolve(import.meta.dirname, '../profiles')

export type ProfileContents = Readonly<Record<string, string | Uint8Array>>

/** The shortest prompt that makes a folder a profile. */
export const PROMPT = { 'instructions.txt': 'You are brief.\n' } as const

/** Profiles of the person's own, for `files` of a launch: their files by name. */
export function profiles(contents: Readonly<Record<string, ProfileContents>>): Record<string, string | Uint8Array> {
  return Object.fromEntries(
    Object.entries(contents).flatMap(([name, files]) =>
      Object.entries(files).map(([file, content]) => [`profiles/${name}/${file}`, content] as const),
    ),
  )
}

const at = ({ dataDir }: Pick<RunningApp, 'dataDir'>, name: string, file: string): string =>
  path.join(dataDir, 'profiles', name, file)

/** Bytes of a file of the person's own profile as a text, a BOM and every line ending included. */
export const fileOf = (app: Pick<RunningApp, 'dataDir'>, name: string, file: string): Promise<string> =>
  readFile(at(app, name, file), 'utf8')

export const bytesOf = (app: Pick<RunningApp, 'dataDir'>, name: string, file: string): Promise<Buffer> =>
  readFile(at(app, name, file))

/** Writes as another program would: no lock, no rename. */
export async function writeOutside(
  app: Pick<RunningApp, 'dataDir'>,
  name: string,
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  await mkdir(path.dirname(at(app, name, file)), { recursive: true })
  await writeFile(at(app, name, file), content)
}

export const shipped = (name: string, file: string): Promise<string> =>
  readFile(path.join(shippedDir, name, file), 'utf8')
