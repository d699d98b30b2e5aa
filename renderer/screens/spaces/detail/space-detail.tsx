import { ArrowLeft, RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { useNarrow } from '../../../app/use-narrow.ts'
import { momentWords } from '../../../app/when.ts'
import {
  Banner,
  Button,
  EmptyState,
  FailureBanner,
  IconButton,
  TabList,
  TabPanel,
  Tabs,
} from '../../../components/index.ts'
import { useDialogs } from '../../../stores/dialogs.ts'
import { useReview } from '../../../stores/review.ts'
import { useSpaces } from '../../../stores/spaces.ts'
import { useInstall } from '../install-store.ts'
import { sameSlug } from '../preview-facts.ts'
import { Publisher, SpaceEmoji, SpaceMeta, StageWords } from '../space-parts.tsx'
import { useRemove } from '../use-remove.ts'

import { followInstalled, useDetail } from './detail-store.ts'
import { DetailTools } from './detail-tools.tsx'
import { Readme } from './readme.tsx'

import type { SpaceCard } from '../../../../electron/contract/index.ts'

/** Escape leaves, unless something in front of the page takes it, or a text is being typed. */
function useEscape(leave: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || useDialogs.getState().open > 0) return
      const { target } = event
      if (target instanceof HTMLElement && target.matches('input, textarea, [aria-expanded="true"][role="combobox"]'))
        return
      leave()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [leave])
}

function Action({ slug, card, installed }: { slug: string; card: SpaceCard | undefined; installed: boolean }) {
  const { t } = useTranslation('spaces')
  const locked = useSpaces((state) => state.snapshot?.readOnly ?? false)
  const offline = useDetail((state) => state.detail?.from === 'cache')
  const changed = useSpaces(
    (state) => state.snapshot?.spaces.some((space) => space.review && sameSlug(space.slug, slug)) ?? false,
  )
  const removal = useRemove(slug)
  const { start } = useInstall.getState()
  if (installed) {
    return (
      <>
        {changed && (
          <Button
            variant="primary"
            aria-label={t('review.buttonNamed', { ns: 'keep', slug })}
            onClick={() => useReview.getState().open(slug)}
          >
            {t('review.button', { ns: 'keep' })}
          </Button>
        )}
        <Button
          aria-label={t('card.removeNamed', { slug })}
          busy={removal.busy}
          disabled={locked}
          onClick={() => void removal.remove()}
        >
          {t('card.remove')}
        </Button>
      </>
    )
  }
  return (
    <Button
      variant="primary"
      aria-label={t('card.installNamed', { slug })}
      disabled={locked || offline}
      title={offline ? t('offline.needsNetwork') : undefined}
      onClick={() => void start(slug, card)}
    >
      {t('install', { ns: 'detail' })}
    </Button>
  )
}

function Head({ slug, card, installed }: { slug: string; card: SpaceCard | undefined; installed: boolean }) {
  const { t } = useTranslation('detail')
  const { close } = useDetail.getState()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [slug])
  return (
    <header className="flex min-h-19 shrink-0 items-center gap-3 py-2 pr-4 pl-5 narrow:pr-3 narrow:pl-3">
      <IconButton label={t('back')} onClick={close}>
        <ArrowLeft aria-hidden="true" />
      </IconButton>
      <SpaceEmoji large emoji={card?.emoji} />
      <div className="min-w-0 flex-1">
        <h1 ref={title} tabIndex={-1} className="screen-title min-w-0 truncate outline-none">
          {card?.title ?? slug}
        </h1>
        <div className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-3 text-small text-ink-3">
          <span className="mono min-w-0 truncate text-ink-2" title={slug}>
            {slug}
          </span>
          {card?.official === true && <Publisher author={card.author} official />}
          {card && <StageWords stage={card.stage} />}
          {card && <SpaceMeta hardware={card.hardware} likes={card.likes} />}
          <button type="button" className="link" onClick={() => void attempt('app.openSpacePage', { slug })}>
            {t('page')}
          </button>
        </div>
      </div>
      <Action slug={slug} card={card} installed={installed} />
    </header>
  )
}

function Notice() {
  const { t, i18n } = useTranslation('detail')
  const { detail, reading } = useDetail()
  const { load } = useDetail.getState()
  if (!detail?.failure) return null
  const { message } = failureText(t, detail.failure)
  const when = detail.cachedAt === undefined ? null : momentWords(i18n.language, detail.cachedAt)
  return (
    <Banner
      title={message}
      className="mb-3"
      action={
        <Button size="s" icon={<RotateCw aria-hidden="true" />} busy={reading} onClick={() => void load()}>
          {t('retry', { ns: 'common' })}
        </Button>
      }
    >
      {detail.from === 'cache' && (when === null ? t('partly') : t('cached', { when }))}{' '}
      <span className="mono text-ink-3">{detail.failure.code}</span>
    </Banner>
  )
}

function Body({ slug, installedUrl }: { slug: string; installedUrl: string | undefined }) {
  const { t } = useTranslation('detail')
  const { detail, look, tab } = useDetail()
  const { setTab } = useDetail.getState()
  const narrow = useNarrow()
  const count = (detail?.tools ?? look?.preview?.tools)?.length
  const tools = <DetailTools slug={slug} installedUrl={installedUrl} />
  const readme = <Readme slug={slug} detail={detail} />
  if (!narrow) {
    return (
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,21rem)_minmax(0,1fr)] grid-rows-[minmax(0,1fr)] gap-5 px-6 pb-5">
        {readme}
        {tools}
      </div>
    )
  }
  return (
    <Tabs value={tab} onChange={setTab}>
      <div className="px-4 pb-3">
        <TabList
          label={t('tabs.label')}
          tabs={[
            { value: 'readme', label: t('tabs.readme') },
            {
              value: 'tools',
              label: (
                <>
                  {t('tabs.tools')} {count !== undefined && <span className="text-ink-3">{count}</span>}
                </>
              ),
            },
          ]}
        />
      </div>
      <TabPanel value="readme" className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        {readme}
      </TabPanel>
      <TabPanel value="tools" className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-4 pb-4">
        {tools}
      </TabPanel>
    </Tabs>
  )
}

/** One Space in the place of the list: what it says of itself, and its tools to try. */
export function SpaceDetailView({ slug: asked }: { slug: string }) {
  const { t } = useTranslation('detail')
  const { card: listed, detail, failure, reading } = useDetail()
  const { close, load } = useDetail.getState()
  const snapshot = useSpaces((state) => state.snapshot)
  const card = detail?.card ?? listed
  const slug = card?.slug ?? asked
  const entry = snapshot?.spaces.find((space) => sameSlug(space.slug, slug))
  useEscape(close)
  useEffect(() => {
    if (snapshot) followInstalled(snapshot.spaces.map((space) => space.slug))
  }, [snapshot, detail])

  return (
    <>
      <Head slug={slug} card={card} installed={entry !== undefined} />
      {failure ? (
        <div className="grid gap-3 px-6 narrow:px-4">
          <FailureBanner failure={failure} />
          <EmptyState
            title={t('failed')}
            actions={
              <Button busy={reading} onClick={() => void load()}>
                {t('retry', { ns: 'common' })}
              </Button>
            }
          />
        </div>
      ) : (
        <>
          <p role="status" className="sr-only">
            {detail === null ? t('reading', { slug }) : ''}
          </p>
          <div className="px-6 narrow:px-4">
            <Notice />
          </div>
          <Body slug={slug} installedUrl={entry?.mcpUrl} />
        </>
      )}
    </>
  )
}
