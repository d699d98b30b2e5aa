import { Globe, KeyRound } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner, Button, SearchBox } from '../../components/index.ts'
import { useTools } from '../../stores/tools.ts'

import { Offer } from './install-offer.tsx'
import { useInstall } from './install-store.ts'
import { hostOf, toolName, usableIds } from './preview-facts.ts'

import type { PreviewTool, SpacePreview } from '../../../electron/contract/index.ts'
import type { TextsBefore } from './install-offer.tsx'

/** From here on models choose worse among tools. */
const MANY_TOOLS = 25
/** From here on looking for one by eye takes longer than typing. */
const FILTER_FROM = 10

/** More than a dialog shows at once. */
const FIRST_TOOLS = 15

function Notices({ preview, byLink }: { preview: SpacePreview; byLink: boolean }) {
  const { t } = useTranslation('keep')
  const { slug, movedFrom, looksLike, docker, refresh } = preview
  const facts = [
    byLink ? t('link.opened') : null,
    movedFrom !== undefined ? t('dialog.moved', { ns: 'spaces', from: movedFrom, slug }) : null,
    refresh ? t('dialog.refresh', { ns: 'spaces' }) : null,
    docker === true ? t('install.docker') : null,
  ].filter((fact) => fact !== null)
  return (
    <>
      {looksLike !== undefined && <Banner tone="warn">{t('install.resembles', { slug, other: looksLike })}</Banner>}
      {facts.length > 0 && <Banner>{facts.join(' ')}</Banner>}
    </>
  )
}

/** What of the installed tools the difference is shown against, by ID. */
function useTextsBefore(preview: SpacePreview): ReadonlyMap<string, TextsBefore> {
  const lists = useTools((state) => state.lists)
  useEffect(() => {
    const { lists: held, load } = useTools.getState()
    if (preview.tools.some((tool) => tool.change === 'changed') && Object.keys(held).length === 0) void load()
  }, [preview])
  return useMemo(() => {
    const changed = preview.tools.filter((tool) => tool.change === 'changed')
    const known = Object.values(lists)[0]?.tools ?? []
    return new Map(
      changed.flatMap(({ id }) => {
        const held = known.find((tool) => tool.id === id)
        return id !== null && held ? [[id, held] as const] : []
      }),
    )
  }, [preview, lists])
}

function matches(tool: PreviewTool, filter: string): boolean {
  const text = `${tool.id ?? ''} ${tool.remoteName} ${tool.description}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface InstallPreviewProps {
  preview: SpacePreview
  chosen: ReadonlySet<string>
  byLink: boolean
  disabled: boolean
}

/** What a Space offers, before anything is written: its tools, its origin, what leaves this computer. */
export function InstallPreview({ preview, chosen, byLink, disabled }: InstallPreviewProps) {
  const { t } = useTranslation('spaces')
  const [filter, setFilter] = useState('')
  const { choose } = useInstall.getState()
  const { removedTools } = preview
  const before = useTextsBefore(preview)
  const usable = usableIds(preview)
  const matching = useMemo(() => preview.tools.filter((tool) => matches(tool, filter)), [preview, filter])
  // The rest of a long list is drawn between frames.
  const shown = useDeferredValue(matching, matching.slice(0, FIRST_TOOLS))
  const shownIds = usable.filter((id) => shown.some((tool) => tool.id === id))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Notices preview={preview} byLink={byLink} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-strong">{preview.refresh ? t('dialog.offers') : t('dialog.adds')}</h3>
        {usable.length > 1 && (
          <div role="group" aria-label={t('install.tools', { ns: 'keep' })} className="-my-1 flex">
            <Button
              size="s"
              variant="quiet"
              aria-label={t('install.allNamed', { ns: 'keep' })}
              disabled={disabled || shownIds.every((id) => chosen.has(id))}
              onClick={() => choose(shownIds, true)}
            >
              {t('install.all', { ns: 'keep' })}
            </Button>
            <Button
              size="s"
              variant="quiet"
              aria-label={t('install.noneNamed', { ns: 'keep' })}
              disabled={disabled || !shownIds.some((id) => chosen.has(id))}
              onClick={() => choose(shownIds, false)}
            >
              {t('install.none', { ns: 'keep' })}
            </Button>
          </div>
        )}
        <span className="ml-auto text-small text-ink-3">{t('dialog.ownWords')}</span>
      </div>
      {preview.tools.length >= FILTER_FROM && (
        <SearchBox label={t('install.filter', { ns: 'keep' })} value={filter} onChange={setFilter} />
      )}
      {shown.length > 0 ? (
        <ul className="rounded-card border border-line">
          {shown.map((tool, index) => (
            <Offer
              // A server may list one name twice.
              key={`${index} ${tool.remoteName}`}
              tool={tool}
              checked={tool.id !== null && chosen.has(tool.id)}
              disabled={disabled}
              before={tool.id === null ? undefined : before.get(tool.id)}
              onChoose={choose}
            />
          ))}
        </ul>
      ) : (
        <p className="text-ink-2">{t('install.filtered', { ns: 'keep' })}</p>
      )}
      {chosen.size > MANY_TOOLS && <Banner tone="warn">{t('dialog.many', { limit: MANY_TOOLS })}</Banner>}
      {removedTools.length > 0 && (
        <p className="text-small wrap-anywhere text-warn">
          {t('dialog.removed', { names: removedTools.map((id) => toolName({ id, remoteName: id })).join(', ') })}
        </p>
      )}
      <ul className="grid gap-1.5 text-small text-ink-2 [&_svg]:mt-px [&_svg]:size-3.75 [&_svg]:shrink-0 [&_svg]:text-ink-3">
        <li className="flex gap-2">
          <Globe aria-hidden="true" />
          <span className="min-w-0 wrap-anywhere">{t('dialog.facts.leaves', { host: hostOf(preview.mcpUrl) })}</span>
        </li>
        <li className="flex gap-2">
          <KeyRound aria-hidden="true" />
          {preview.sendsToken ? t('dialog.facts.token') : t('dialog.facts.noToken')}
        </li>
      </ul>
    </div>
  )
}
