import { Ellipsis, ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Button, IconButton, Menu } from '../../../components/index.ts'
import { useToasts } from '../../../stores/toasts.ts'

import { fileChoices } from './file-facts.ts'
import { useLocalDialog } from './local-store.ts'

import type { ToolEntry, ToolFileInfo } from '../../../../electron/contract/index.ts'
import type { MenuItem } from '../../../components/index.ts'

/** Says a failure of something that was started from a menu. */
function useTell(): (answer: Awaited<ReturnType<typeof attempt>>) => boolean {
  const { t } = useTranslation('local')
  return (answer) => {
    if (answer.ok) return true
    const { message, hint } = failureText(t, answer.error)
    useToasts.getState().show({ text: [message, hint].filter(Boolean).join(' ') })
    return false
  }
}

/** What can be done about a tool of the user's own file, at the end of its row. */
export function FileActions({ tool, file }: { tool: ToolEntry; file: ToolFileInfo }) {
  const { t } = useTranslation('local')
  const tell = useTell()
  const { id } = tool
  const { path, sha256 } = file
  const { open } = useLocalDialog.getState()
  const choices = fileChoices(file)

  const forbid = async (): Promise<void> => {
    if (!tell(await attempt('tools.forbid', { path }))) return
    useToasts.getState().show({
      text: t('forbidden', { id }),
      topic: `file ${path}`,
      undo: async () => void tell(await attempt('tools.allow', { path, sha256 })),
    })
  }
  const items: MenuItem[] = [
    {
      id: 'show',
      label: t('show'),
      onSelect: () => void attempt('tools.showFile', { path }).then(tell),
    },
    ...(choices.forbid ? [{ id: 'forbid', label: t('forbid'), onSelect: () => void forbid(), separated: true }] : []),
  ]
  return (
    <span className="flex shrink-0 items-center">
      {choices.allow && (
        <Button size="s" aria-label={t('allow.named', { id })} onClick={() => open({ kind: 'allow', id, path })}>
          {t('allow.button')}
        </Button>
      )}
      {choices.log && (
        <IconButton size="s" label={t('log.named', { id })} onClick={() => open({ kind: 'log', id, path })}>
          <ScrollText aria-hidden="true" />
        </IconButton>
      )}
      {choices.allow !== 'first' && (
        <Menu
          trigger={
            <IconButton size="s" label={t('moreNamed', { id })}>
              <Ellipsis aria-hidden="true" />
            </IconButton>
          }
          items={items}
        />
      )}
    </span>
  )
}
