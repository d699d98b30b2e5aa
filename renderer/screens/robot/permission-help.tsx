import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { IconButton } from '../../components/index.ts'
import { useToasts } from '../../stores/toasts.ts'

import type { PermissionHelp } from '../../../electron/contract/index.ts'

/** The command that gives this account the right to a port; `null` where none is needed, or not known yet. */
export function usePermissionHelp(): PermissionHelp | null {
  const [help, setHelp] = useState<PermissionHelp | null>(null)
  useEffect(() => {
    let gone = false
    void attempt('robot.permissionHelp', {}).then((answer) => {
      if (!gone && answer.ok) setHelp(answer.value.help)
    })
    return () => {
      gone = true
    }
  }, [])
  return help
}

/** One line for a terminal, to be copied. */
export function CommandLine({ command }: { command: string }) {
  const { t } = useTranslation('robot')
  const copy = async (): Promise<void> => {
    const copied = await navigator.clipboard.writeText(command).then(
      () => true,
      () => false,
    )
    useToasts.getState().show({ text: copied ? t('none.copied') : t('copyFailed') })
  }
  return (
    <div className="mt-2 flex items-start gap-2 rounded-control bg-raised py-2 pr-2 pl-3">
      <code className="mono min-w-0 flex-1 py-0.5 wrap-anywhere whitespace-pre-wrap select-text">{command}</code>
      <IconButton label={t('none.copy')} size="s" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
      </IconButton>
    </div>
  )
}
