import type { ToolEntry, ToolFileInfo, ToolLanguage } from '../../../../electron/contract/index.ts'

/** What can be done with a file. `again`: it was allowed once, with other bytes. */
export interface FileChoices {
  readonly allow: 'first' | 'again' | null
  readonly forbid: boolean
  /** It has run, or may run, so that there is something to read about it. */
  readonly log: boolean
}

export function fileChoices({ state }: Pick<ToolFileInfo, 'state'>): FileChoices {
  switch (state) {
    case 'not-allowed':
      return { allow: 'first', forbid: false, log: false }
    case 'changed':
      return { allow: 'again', forbid: true, log: true }
    case 'ready':
      return { allow: null, forbid: true, log: true }
    case 'unusable':
      return { allow: null, forbid: false, log: false }
  }
}

/** Last part of a path of any system. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** Characters of a file that are shown; the main process cuts there. */
export const SHOWN_CHARACTERS = 200_000

export const isCut = (text: string): boolean => text.length >= SHOWN_CHARACTERS

/** How files of a language end, as new ones are made. */
export const EXTENSIONS: Readonly<Record<ToolLanguage, string>> = {
  javascript: '.mjs',
  typescript: '.ts',
  python: '.py',
}

export type FileNameFault = 'empty' | 'long' | 'characters' | 'exists'

const MAX_NAME = 64

/** A line of tools.txt that is the name of a Python module, too. */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/

/** What is wrong with the name of a new tool file; `null`: nothing that can be seen here. */
export function fileNameFault(name: string, tools: readonly Pick<ToolEntry, 'id'>[]): FileNameFault | null {
  if (name === '') return 'empty'
  if (name.length > MAX_NAME) return 'long'
  if (!NAME.test(name)) return 'characters'
  return tools.some(({ id }) => id === name) ? 'exists' : null
}
