import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Chip, FailureBanner, Screen, SearchBox, Select, TabList, TabPanel, Tabs } from '../../components/index.ts'
import { useLinks } from '../../stores/links.ts'
import { useSpaces } from '../../stores/spaces.ts'

import { AddSpace } from './add-space.tsx'
import { BackgroundStatus } from './background-status.tsx'
import { Browse } from './browse.tsx'
import { CatalogueNotice } from './catalogue-notice.tsx'
import { toggledFilters, useCatalogue } from './catalogue-store.ts'
import { useDetail } from './detail/detail-store.ts'
import { SpaceDetailView } from './detail/space-detail.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { useInstall } from './install-store.ts'
import { Installed } from './installed/installed.tsx'
import { ReviewBanner } from './review-banner.tsx'
import { ServersTab } from './servers/servers-tab.tsx'
import { useScrollMemory } from './use-scroll-memory.ts'

import type { SpaceFilter, SpaceSort } from '../../../electron/contract/index.ts'

const FILTERS: readonly SpaceFilter[] = ['reachy-mini', 'mcp', 'tagged-mcp', 'running', 'official']
const SORTS: readonly SpaceSort[] = ['likes', 'trendingScore', 'lastModified']

function SearchBar() {
  const { t } = useTranslation('spaces')
  const { query, filters, sort, ask } = useCatalogue()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-1">
      <SearchBox
        label={t('search')}
        placeholder={t('searchHint')}
        value={query}
        maxLength={200}
        onChange={(next) => ask({ query: next })}
        className="min-w-56 flex-1 narrow:basis-full"
      />
      <div role="group" aria-label={t('filters.label')} className="flex flex-wrap gap-1.5">
        {FILTERS.map((filter) => (
          <Chip
            key={filter}
            pressed={filters.includes(filter)}
            onChange={(on) => ask({ filters: toggledFilters(filters, filter, on) })}
          >
            {t(`filters.${filter}`)}
          </Chip>
        ))}
      </div>
      <Select
        label={t('sort.label')}
        value={sort}
        onChange={(next) => ask({ sort: next })}
        options={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
        className="border-transparent bg-transparent narrow:ml-auto"
      />
    </div>
  )
}

/** Browse, add, install and remove Spaces. */
export function SpacesScreen() {
  const { t } = useTranslation('spaces')
  const { tab, setTab } = useCatalogue()
  const refused = useInstall((state) => state.refused)
  const snapshot = useSpaces((state) => state.snapshot)
  const start = useInstall((state) => state.start)
  const wanted = useLinks((state) => state.wanted)
  const background = useInstall((state) => state.background.length > 0)
  const changed = snapshot?.spaces.some((space) => space.review) ?? false
  useEffect(() => {
    if (wanted === null) return
    const slug = useLinks.getState().take()
    if (slug !== null) void start(slug, undefined, { byLink: true })
  }, [wanted, start])
  const looked = useDetail((state) => state.slug)
  const body = useRef<HTMLDivElement>(null)
  useScrollMemory(body, tab === 'browse' && looked === null)

  if (looked !== null) {
    return (
      <>
        <SpaceDetailView slug={looked} />
        <InstallDialog />
      </>
    )
  }
  return (
    <Tabs value={tab} onChange={setTab}>
      <Screen
        bodyRef={body}
        title={t('title')}
        lead={
          <TabList
            label={t('tabs.label')}
            tabs={[
              { value: 'browse', label: t('tabs.browse') },
              {
                value: 'installed',
                label: (
                  <>
                    {t('tabs.installed')} {snapshot && <span className="text-ink-3">{snapshot.spaces.length}</span>}
                  </>
                ),
              },
              { value: 'servers', label: t('tab', { ns: 'servers' }) },
            ]}
          />
        }
        actions={<AddSpace disabled={snapshot?.readOnly ?? false} />}
        toolbar={
          (refused !== null || tab === 'browse' || background || changed) && (
            <>
              <BackgroundStatus />
              <ReviewBanner />
              {refused && (
                <div id="add-space-refused" className="pb-3">
                  <FailureBanner failure={refused} />
                </div>
              )}
              {tab === 'browse' && (
                <>
                  <CatalogueNotice />
                  <SearchBar />
                </>
              )}
            </>
          )
        }
      >
        <TabPanel value="browse">
          <Browse onInstall={(card) => void start(card.slug, card)} />
        </TabPanel>
        <TabPanel value="installed">
          <Installed />
        </TabPanel>
        <TabPanel value="servers">
          <ServersTab />
        </TabPanel>
      </Screen>
      <InstallDialog />
    </Tabs>
  )
}
