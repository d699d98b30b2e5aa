import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'

import { tellUndoable } from './undo.ts'

import type { Failure } from '../../../electron/contract/index.ts'

export interface Removal {
  busy: boolean
  failure: Failure | null
  /** Whether it is removed. */
  remove: () => Promise<boolean>
}

/** Removes a Space at once, with a toast that takes it back. */
export function useRemove(slug: string): Removal {
  const { t } = useTranslation('spaces')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const remove = async (): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    const answer = await attempt('spaces.remove', { slug })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.error)
      return false
    }
    const { disabled, undoId } = answer.value
    const count = Object.values(disabled).reduce((sum, ids) => sum + ids.length, 0)
    tellUndoable(count > 0 ? t('done.disabled', { slug, count }) : t('done.removed', { slug }), undoId)
    return true
  }
  return { busy, failure, remove }
}
