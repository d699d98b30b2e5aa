import { useTranslation } from 'react-i18next'

import type { Failure } from '../../../../electron/contract/index.ts'

/** What a program wrote before it ended, with its line ends: the sentence of the failure has it in one line. */
export function LastWords({ failure }: { failure: Failure }) {
  const { t } = useTranslation('servers')
  const words = failure.code === 'server/exited' ? String(failure.details?.['reason'] ?? '') : ''
  if (!words.includes('\n')) return null
  return (
    <div
      role="group"
      aria-label={t('dialog.lastWords')}
      tabIndex={0}
      className="scroll-quiet mono max-h-48 overflow-y-auto rounded-control bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap text-ink-2"
    >
      {words}
    </div>
  )
}
