import { ListOrdered, TriangleAlert } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { toolDescription } from '../../app/language.ts'
import { FailureBanner, IconButton, SearchBox, Skeleton, cx } from '../../components/index.ts'
import { useTools } from '../../stores/tools.ts'

import { isOn } from './drafts.ts'
import { LocalDialogs } from './local/local-dialogs.tsx'
import { OrderList } from './switches/order-list.tsx'
import { ToolGroupSection } from './switches/tool-group.tsx'
import { UnknownList } from './switches/unknown-list.tsx'
import { portions, useGradually } from './switches/use-gradually.ts'
import { groupTools, matchesTool } from './tool-groups.ts'

import type { Problem, ToolEntry } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'

const NO_TOOLS: readonly ToolEntry[] = []

/** IDs whose switch is on, as long as it is the same set: rows that did not change are not drawn again. */
function useListed(draft: Draft, tools: readonly ToolEntry[]): ReadonlySet<string> {
  const { ids, pending } = draft
  return useMemo(
    () => new Set(tools.filter(({ id }) => isOn({ ids, pending }, id)).map(({ id }) => id)),
    [ids, pending, tools],
  )
}

interface GroupsProps {
  draft: Draft
  tools: readonly ToolEntry[]
  search: string
  readOnly: boolean
}

function Groups({ draft, tools, search, readOnly }: GroupsProps) {
  const listed = useListed(draft, tools)
  const groups = useMemo(() => groupTools(tools), [tools])
  const found = useMemo(
    () => groups.map((group) => group.tools.filter((tool) => matchesTool(tool, search, toolDescription(tool)))),
    [groups, search],
  )
  const sizes = found.map((held) => held.length)
  const drawn = portions(sizes, useGradually(sizes.reduce((sum, size) => sum + size, 0)))
  const searching = search.trim() !== ''
  return groups.map((group, k) => {
    const shown = found[k] ?? NO_TOOLS
    const count = drawn[k] ?? 0
    const isEmpty = group.tools.length === 0
    if (isEmpty ? searching : count === 0) return null
    return (
      <ToolGroupSection
        key={group.key}
        group={group}
        profile={draft.document.name}
        shown={count === shown.length ? shown : shown.slice(0, count)}
        listed={listed}
        readOnly={readOnly}
      />
    )
  })
}

/** What concerns no single tool, in the width of the column. */
function Notice({ notice }: { notice: Problem }) {
  const { t } = useTranslation('profiles')
  const { message, hint } = failureText(t, notice)
  return (
    <p role="status" className="flex gap-2 rounded-control bg-warn-soft px-2.5 py-2 text-small text-ink-2">
      <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0 text-warn" />
      <span className="min-w-0 wrap-anywhere">
        <strong className="font-strong text-ink">{message}</strong> {hint}{' '}
        <span className="mono text-ink-2">{notice.code}</span>
      </span>
    </p>
  )
}

/** One switch per tool, each of which edits the unsaved tools.txt; or the order of its lines. */
export function ToolSwitches({ draft, className }: { draft: Draft; className?: string }) {
  const { t } = useTranslation('profiles')
  const [typed, setSearch] = useState('')
  const search = useDeferredValue(typed)
  const [ordering, setOrdering] = useState(false)
  const list = useTools((state) => state.lists[draft.document.name])
  const failure = useTools((state) => state.failure)
  const readOnly = draft.document.readOnlyFiles.includes('tools.txt')
  const tools = list?.tools ?? NO_TOOLS
  const byId = useMemo(() => new Map(tools.map((tool) => [tool.id, tool])), [tools])
  const isFound = tools.some((tool) => matchesTool(tool, search, toolDescription(tool)))

  return (
    <div className={cx('min-h-0 flex-col gap-3', className)}>
      <div className="flex shrink-0 items-center gap-1">
        <SearchBox
          label={t('tools.search')}
          placeholder={t('tools.searchHint', { count: tools.length })}
          value={typed}
          onChange={(next) => {
            setSearch(next)
            setOrdering(false)
          }}
          className="flex-1"
        />
        <IconButton
          label={t('order.button', { ns: 'local' })}
          aria-pressed={ordering}
          disabled={readOnly}
          className={ordering ? 'bg-selected text-ink' : undefined}
          onClick={() => setOrdering(!ordering)}
        >
          <ListOrdered aria-hidden="true" />
        </IconButton>
      </div>
      {failure && <FailureBanner failure={failure} />}
      <div className="scroll-quiet grid min-h-0 flex-1 content-start gap-3 overflow-x-hidden overflow-y-auto pb-1 *:min-w-0">
        {!list && !failure && <Skeleton className="h-40" />}
        {list?.notices.map((notice, k) => (
          <Notice key={k} notice={notice} />
        ))}
        {ordering ? (
          <OrderList profile={draft.document.name} ids={draft.ids} tools={byId} />
        ) : (
          <>
            {list && !isFound && <p className="text-ink-2">{search ? t('tools.none') : t('tools.empty')}</p>}
            {list && <Groups draft={draft} tools={tools} search={search} readOnly={readOnly} />}
            {search.trim() === '' && <UnknownList draft={draft} readOnly={readOnly} />}
          </>
        )}
      </div>
      <LocalDialogs profile={draft.document.name} />
    </div>
  )
}
