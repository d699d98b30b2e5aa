import { useReturnFocus } from '../../../app/use-return-focus.ts'
import { useTools } from '../../../stores/tools.ts'

import { AllowDialog } from './allow-dialog.tsx'
import { useLocalDialog } from './local-store.ts'
import { LogDialog } from './log-dialog.tsx'
import { NewFileDialog } from './new-file-dialog.tsx'

/** The dialog about the user's own tools that is open, if any. */
export function LocalDialogs({ profile }: { profile: string }) {
  const { dialog, close } = useLocalDialog()
  const tools = useTools((state) => state.lists[profile]?.tools)
  useReturnFocus(dialog !== null)
  if (dialog === null) return null
  if (dialog.kind === 'new') return <NewFileDialog profile={profile} tools={tools ?? []} onClose={close} />
  const file = tools?.find((tool) => tool.file?.path === dialog.path)?.file
  // Gone since: its file was removed.
  if (!file) return null
  const props = { id: dialog.id, file, profile, onClose: close }
  return dialog.kind === 'allow' ? <AllowDialog key={dialog.path} {...props} /> : <LogDialog key={dialog.path} {...props} />
}
