/** What the list view makes of an unsaved tools.txt. Pure. */
import { editTools } from './tools-edit.ts'
import { ownTools } from './tools-file.ts'
import { moveTool, orderTools } from './tools-order.ts'

import type { ProfileDocument } from '../contract/index.ts'
import type { ToolsChange } from './types.ts'

/** See `Profiles.editDraft`. */
export function editDraft(
  { texts, inheritedToolsText }: Pick<ProfileDocument, 'texts' | 'inheritedToolsText'>,
  held: string | null,
  { enable, disable, order, move }: ToolsChange,
): { text: string; toolsText: string | null } {
  const inherited = ownTools(inheritedToolsText)
  const onDisk = texts['tools.txt']
  // So that a line that was switched off comes back where it stood.
  const base = held === null ? inherited : (onDisk ?? inherited)
  const edited = editTools(held ?? inherited, enable, disable, base)
  const ordered = order === undefined ? edited : orderTools(edited, order)
  const text = move === undefined ? ordered : moveTool(ordered, move.id, move.before)
  const stillInherits = text === inherited && (held === null || onDisk === null)
  return { text, toolsText: stillInherits ? null : text }
}
