import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useReturnFocus } from '../../../app/use-return-focus.ts'
import { Button, EmptyState, FailureBanner, Skeleton } from '../../../components/index.ts'
import { useProfiles } from '../../../stores/profiles.ts'
import { useSpaces } from '../../../stores/spaces.ts'
import { useTools } from '../../../stores/tools.ts'
import { useCatalogue } from '../catalogue-store.ts'
import { listOf } from '../tell-done.ts'

import { CheckBar } from './check-bar.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { linesOf, opensUnfolded, profilesByTool } from './installed-facts.ts'
import { InstalledCard } from './installed-space.tsx'
import { InstanceBanner } from './instance-banner.tsx'
import { EntryProblems, UnreadableList } from './problems.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

import type { InstalledSpace, SpacesSnapshot } from '../../../../electron/contract/index.ts'

/** Reads the list of every profile once: who uses which tool. */
function useProfileLists(): void {
  const profiles = useProfiles((state) => state.snapshot?.profiles)
  useEffect(() => {
    const { lists, load } = useTools.getState()
    for (const { name, hidden, problem } of profiles ?? []) if (!hidden && !problem && !lists[name]) void load(name)
  }, [profiles])
}

const FIRST: readonly InstalledSpace[] = []

function Cards({
  spaces,
  locked,
  onRemove,
}: {
  spaces: readonly InstalledSpace[]
  locked: boolean
  onRemove: (slug: string) => void
}) {
  const { t } = useTranslation('spaces')
  // Hundreds of tools are drawn, and drawn again with each profile's list, between frames.
  const shown = useDeferredValue(spaces, FIRST)
  const lists = useDeferredValue(useTools((state) => state.lists))
  const onIn = useMemo(() => profilesByTool(lists), [lists])
  const usedIn = useMemo(
    () => new Map(shown.map(({ slug }) => [slug, listOf(linesOf(slug, lists).map(({ profile }) => profile))])),
    [shown, lists],
  )
  const [folds, setFolds] = useState<Readonly<Record<string, boolean>>>({})
  const fold = useCallback((slug: string, unfolded: boolean) => setFolds((held) => ({ ...held, [slug]: unfolded })), [])
  const unfolded = opensUnfolded(spaces)
  return (
    <ul aria-label={t('list')} className="grid max-w-[52rem] grid-cols-[minmax(0,1fr)] gap-4">
      {shown.map((space) => (
        <li key={space.slug} className="[contain-intrinsic-size:auto_9rem] [content-visibility:auto]">
          <InstalledCard
            space={space}
            usedIn={usedIn.get(space.slug) ?? ''}
            onIn={onIn}
            locked={locked}
            unfolded={folds[space.slug] ?? unfolded}
            onFold={fold}
            onRemove={onRemove}
          />
        </li>
      ))}
    </ul>
  )
}

function List({ snapshot }: { snapshot: SpacesSnapshot }) {
  const { t } = useTranslation('spaces')
  const [importing, setImporting] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const remove = useCallback((slug: string) => setRemoving(slug), [])
  useReturnFocus(importing || removing !== null, () => document.querySelector<HTMLElement>('[data-region="sheet"] h1'))
  const { spaces, readOnly } = snapshot
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <UnreadableList snapshot={snapshot} />
      <InstanceBanner snapshot={snapshot} />
      {!(readOnly && spaces.length === 0) && <CheckBar snapshot={snapshot} onImport={() => setImporting(true)} />}
      <EntryProblems snapshot={snapshot} />
      {spaces.length > 0 ? (
        <Cards spaces={spaces} locked={readOnly} onRemove={remove} />
      ) : (
        !readOnly && (
          <EmptyState
            title={t('installed.emptyTitle')}
            actions={<Button onClick={() => useCatalogue.getState().setTab('browse')}>{t('installed.browse')}</Button>}
          >
            {t('installed.emptyText')}
          </EmptyState>
        )
      )}
      <p className="text-small break-all text-ink-3">{t('installed.file', { path: snapshot.manifest })}</p>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
      {removing !== null && <RemoveDialog slug={removing} onClose={() => setRemoving(null)} />}
    </div>
  )
}

/** The installed Spaces with their tools, where those are switched on, and what can be done about the list. */
export function Installed() {
  const { t } = useTranslation('common')
  const { snapshot, failure, load } = useSpaces()
  useProfileLists()
  if (snapshot) return <List snapshot={snapshot} />
  if (!failure) return <Skeleton className="h-32" />
  return (
    <FailureBanner
      failure={failure}
      action={
        <Button size="s" onClick={() => void load()}>
          {t('retry')}
        </Button>
      }
    />
  )
}
