import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { useSpaces } from '../../stores/spaces.ts'
import { useToasts } from '../../stores/toasts.ts'

import { useInstall } from './install-store.ts'

import type { Failure } from '../../../electron/contract/index.ts'

/** Takes an installation or a removal back; says so when it could not. */
export function useUndo(): (undoId: string) => Promise<void> {
  const { t } = useTranslation('spaces')
  return async (undoId) => {
    const { show } = useToasts.getState()
    const answer = await attempt('spaces.undo', { undoId })
    if (answer.ok) {
      useSpaces.getState().accept(answer.value)
      show({ text: t('done.undone') })
    } else {
      const { message, hint } = failureText(t, answer.error)
      show({
        text: t('done.undoFailed', { message: [message, hint, `(${answer.error.code})`].filter(Boolean).join(' ') }),
      })
    }
  }
}

export interface Removal {
  busy: boolean
  failure: Failure | null
  remove: () => Promise<void>
}

/** Removes a Space at once, with a toast that takes it back. */
export function useRemove(slug: string): Removal {
  const { t } = useTranslation('spaces')
  const undo = useUndo()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const remove = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    const answer = await attempt('spaces.remove', { slug })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.error)
      return
    }
    const { disabled, undoId } = answer.value
    const count = Object.values(disabled).reduce((sum, ids) => sum + ids.length, 0)
    const text = count > 0 ? t('done.disabled', { slug, count }) : t('done.removed', { slug })
    useInstall.getState().tell(text, () => undo(undoId))
  }
  return { busy, failure, remove }
}
