import i18next from 'i18next'

import { tellUndoable } from './undo.ts'

import type { InstallResult } from '../../../electron/contract/index.ts'

/** Names as people list them in the interface's language. */
export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(i18next.language, { type: 'conjunction' }).format(names)
}

/** Says what an installation has written, with a way back. */
export function tellDone({ space, enabledIn, undoId }: InstallResult): void {
  const { slug } = space
  const profiles = Object.keys(enabledIn).filter((name) => (enabledIn[name]?.length ?? 0) > 0)
  const count = new Set(Object.values(enabledIn).flat()).size
  const text =
    count > 0
      ? i18next.t('done.enabled', { ns: 'spaces', slug, count, profile: listOf(profiles) })
      : i18next.t('done.installed', { ns: 'spaces', slug })
  tellUndoable(text, undoId)
}
