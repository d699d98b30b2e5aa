import { ExternalLink, RotateCw, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import {
  Badge,
  Banner,
  Button,
  Card,
  EmptyState,
  FailureBanner,
  IconButton,
  Skeleton,
  ToolId,
} from '../../components/index.ts'
import { useProfiles } from '../../stores/profiles.ts'
import { useSpaces } from '../../stores/spaces.ts'
import { useTools } from '../../stores/tools.ts'

import { useCatalogue } from './catalogue-store.ts'
import { useInstall } from './install-store.ts'
import { sameSlug, toolName } from './preview-facts.ts'
import { Publisher } from './space-parts.tsx'
import { useRemove } from './use-remove.ts'

import type { InstalledSpace, RemoteTool, SpacesSnapshot, ToolList } from '../../../electron/contract/index.ts'

/** Profiles in which at least one tool of the Space is switched on, as far as their lists were read. */
function profilesUsing(slug: string, lists: Readonly<Record<string, ToolList>>): string[] {
  return Object.entries(lists)
    .filter(([, list]) =>
      list.tools.some((tool) => tool.enabled && tool.source === 'space' && sameSlug(tool.origin, slug)),
    )
    .map(([profile]) => profile)
}

function ToolRow({ tool }: { tool: RemoteTool }) {
  const { t } = useTranslation('spaces')
  const reason = tool.problem ? failureText(t, tool.problem) : null
  return (
    <li className="grid gap-0.5 py-2 not-first:border-t not-first:border-line">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <span
          className={
            tool.status === 'usable' ? 'font-medium break-all' : 'font-medium break-all text-ink-3 line-through'
          }
        >
          {toolName(tool)}
        </span>
        {tool.id !== null && <ToolId id={tool.id} className="text-[0.6875rem]" />}
      </p>
      {tool.description && <p className="line-clamp-2 text-small wrap-anywhere text-ink-2">{tool.description}</p>}
      {reason && (
        <p className="text-small wrap-anywhere text-warn">
          {reason.message} {reason.hint}
        </p>
      )}
    </li>
  )
}

function InstalledCard({
  space,
  usedIn,
  locked,
}: {
  space: InstalledSpace
  usedIn: readonly string[]
  locked: boolean
}) {
  const { t } = useTranslation('spaces')
  const removal = useRemove(space.slug)
  const [author = '', name = space.slug] = space.slug.split('/')
  const { slug } = space
  return (
    <article aria-label={slug}>
      <Card className="p-4">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="flex flex-wrap items-center gap-2 font-strong wrap-anywhere">
              {name} {space.private && <Badge>{t('card.private')}</Badge>}
            </h2>
            <Publisher author={author} official={space.official} />
          </div>
          <IconButton size="s" label={t('dialog.page')} onClick={() => void attempt('app.openSpacePage', { slug })}>
            <ExternalLink aria-hidden="true" />
          </IconButton>
          <Button
            size="s"
            icon={<RotateCw aria-hidden="true" />}
            aria-label={t('installed.checkNamed', { slug })}
            disabled={locked}
            onClick={() => void useInstall.getState().start(slug)}
          >
            {t('installed.check')}
          </Button>
          <Button
            size="s"
            variant="quiet"
            icon={<Trash2 aria-hidden="true" />}
            aria-label={t('card.removeNamed', { slug })}
            busy={removal.busy}
            disabled={locked}
            onClick={() => void removal.remove()}
          >
            {t('card.remove')}
          </Button>
        </div>
        {removal.failure && <FailureBanner failure={removal.failure} className="mt-3" />}
        {space.problem && <FailureBanner tone="warn" failure={space.problem} className="mt-3" />}
        {space.tools.length > 0 ? (
          <ul className="mt-2">
            {space.tools.map((tool) => (
              <ToolRow key={tool.remoteName} tool={tool} />
            ))}
          </ul>
        ) : (
          <p className="mt-2 text-ink-2">{t('installed.noTools')}</p>
        )}
        <p className="mt-1 border-t border-line pt-2 text-small wrap-anywhere text-ink-3">
          {usedIn.length > 0 ? t('installed.usedIn', { profiles: usedIn.join(', ') }) : t('installed.unused')}
        </p>
      </Card>
    </article>
  )
}

function Problems({ snapshot }: { snapshot: SpacesSnapshot }) {
  const { t } = useTranslation('spaces')
  const { problems } = snapshot
  return (
    <>
      {snapshot.readOnly && (
        <Banner tone="danger" title={t('installed.readOnly')}>
          {t('installed.readOnlyText', { path: snapshot.manifest })}
        </Banner>
      )}
      {problems.length > 0 && !(snapshot.readOnly && snapshot.spaces.length === 0) && (
        <Banner tone="warn" title={`${t('installed.problems', { count: problems.length })}.`}>
          <ul className="mt-1 grid gap-1">
            {problems.map(({ entry, problem }) => {
              const { message, hint } = failureText(t, problem)
              return (
                <li key={`${entry} ${problem.code}`} className="wrap-anywhere">
                  <span className="mono text-ink">{entry}</span> {message} {hint}
                  <span className="mono ml-1.5 text-ink-3">{problem.code}</span>
                </li>
              )
            })}
          </ul>
        </Banner>
      )}
    </>
  )
}

/** The installed Spaces with their tools, and where those are switched on. */
export function Installed() {
  const { t } = useTranslation('spaces')
  const { snapshot, failure, load } = useSpaces()
  const profiles = useProfiles((state) => state.snapshot?.profiles)
  const lists = useTools((state) => state.lists)

  useEffect(() => {
    const { lists: held, load: read } = useTools.getState()
    for (const { name, hidden, problem } of profiles ?? []) if (!hidden && !problem && !held[name]) void read(name)
  }, [profiles])

  if (!snapshot) {
    if (!failure) return <Skeleton className="h-32" />
    return (
      <FailureBanner
        failure={failure}
        action={
          <Button size="s" onClick={() => void load()}>
            {t('retry', { ns: 'common' })}
          </Button>
        }
      />
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Problems snapshot={snapshot} />
      {snapshot.readOnly && snapshot.spaces.length === 0 ? null : snapshot.spaces.length === 0 ? (
        <EmptyState
          title={t('installed.emptyTitle')}
          actions={<Button onClick={() => useCatalogue.getState().setTab('browse')}>{t('installed.browse')}</Button>}
        >
          {t('installed.emptyText')}
        </EmptyState>
      ) : (
        <ul aria-label={t('list')} className="grid max-w-[52rem] gap-4">
          {snapshot.spaces.map((space) => (
            <li key={space.slug}>
              <InstalledCard space={space} usedIn={profilesUsing(space.slug, lists)} locked={snapshot.readOnly} />
            </li>
          ))}
        </ul>
      )}
      <p className="text-small break-all text-ink-3">{t('installed.file', { path: snapshot.manifest })}</p>
    </div>
  )
}
