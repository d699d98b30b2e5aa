import i18next from 'i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { useSpaces } from '../../stores/spaces.ts'
import { useToasts } from '../../stores/toasts.ts'

/** Takes a change of the manifest back; says so, or why it could not. */
async function takeBack(undoId: string): Promise<void> {
  const { show } = useToasts.getState()
  const answer = await attempt('spaces.undo', { undoId })
  if (answer.ok) {
    useSpaces.getState().accept(answer.value)
    show({ text: i18next.t('done.undone', { ns: 'spaces' }) })
    return
  }
  const { message, hint } = failureText(i18next.t, answer.error)
  const why = [message, hint, `(${answer.error.code})`].filter(Boolean).join(' ')
  show({ text: i18next.t('done.undoFailed', { ns: 'spaces', message: why }) })
}

/** Tells what was done, with a way back, in the place of the one before, whose change can no longer be taken back alone. */
export function tellUndoable(text: string, undoId: string): void {
  useToasts.getState().show({ text, undo: () => takeBack(undoId), topic: 'spaces' })
}
