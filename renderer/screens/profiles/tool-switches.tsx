import { Info } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { failureText } from '../../app/failure-text.ts'
import { toolDescription } from '../../app/language.ts'
import { Button, FailureBanner, SearchBox, Skeleton, SourceGlyph, Switch, cx } from '../../components/index.ts'
import { useReview } from '../../stores/review.ts'
import { useTools } from '../../stores/tools.ts'

import { useDrafts } from './draft-store.ts'
import { isOn } from './drafts.ts'
import { groupTools, matchesTool } from './tool-groups.ts'

import type { ToolEntry } from '../../../electron/contract/index.ts'
import type { Draft } from './drafts.ts'
import type { ToolGroup } from './tool-groups.ts'

function ToolRow({ tool, on, onPress }: { tool: ToolEntry; on: boolean; onPress: ((on: boolean) => void) | null }) {
  const { t } = useTranslation('profiles')
  const id = useId()
  const problem = tool.problem ? failureText(t, tool.problem) : null
  // The row names the tool and the others speak for themselves: what the hint of this code says is seen.
  const hint = tool.problem?.code === 'tools/unavailable' ? undefined : problem?.hint
  const why = tool.system ? t('tools.systemWhy') : problem?.message
  // What cannot be used can still be switched off.
  const fixed = tool.system || onPress === null || (!tool.available && !on)
  return (
    <li className="flex min-h-10.5 items-center gap-3 border-t border-line py-1 pr-0.5 pl-1">
      <Switch
        label={tool.id}
        checked={on}
        disabled={fixed}
        describedBy={`${id}-note`}
        onChange={(next) => onPress?.(next)}
      />
      <div className="min-w-0 flex-1">
        <p
          title={tool.id}
          className={cx('mono truncate leading-4.5', fixed && !tool.system ? 'text-ink-3' : 'text-ink')}
        >
          {tool.shortName}
        </p>
        {why ? (
          <p id={`${id}-note`} className="flex gap-1 text-small text-ink-2">
            <Info aria-hidden="true" className="mt-px size-3.5 shrink-0" />
            <span className="line-clamp-3 min-w-0 wrap-anywhere">{[why, hint].filter(Boolean).join(' ')}</span>
          </p>
        ) : (
          <p id={`${id}-note`} className="truncate text-small text-ink-3" title={toolDescription(tool)}>
            {toolDescription(tool) || t('tools.noWords')}
          </p>
        )}
      </div>
      {tool.problem?.code === 'space/changed' && tool.source === 'space' && (
        <Button
          size="s"
          aria-label={t('profileRow.reviewNamed', { ns: 'keep', id: tool.id })}
          onClick={() => useReview.getState().open(tool.origin, tool.id)}
        >
          {t('profileRow.review', { ns: 'keep' })}
        </Button>
      )}
    </li>
  )
}

interface GroupProps {
  group: ToolGroup
  draft: Draft
  search: string
  readOnly: boolean
}

function Group({ group, draft, search, readOnly }: GroupProps) {
  const { t } = useTranslation('profiles')
  const id = useId()
  const { press } = useDrafts.getState()
  const onOf = (tool: ToolEntry): boolean => tool.system || isOn(draft, tool.id)
  const shown = group.tools.filter((tool) => matchesTool(tool, search))
  if (shown.length === 0) return null
  const on = group.tools.filter(onOf).length
  return (
    <section aria-labelledby={id}>
      <header className="flex items-center gap-2 pb-1">
        <SourceGlyph source={group.source} size={group.kind === 'remote' ? 'm' : 's'} />
        <div className="min-w-0 flex-1">
          <h3 id={id} className="truncate font-strong">
            {group.kind === 'remote' ? group.title : t(`tools.group.${group.kind}`)}
          </h3>
          {group.owner && <p className="truncate text-small text-ink-3">{group.owner}</p>}
        </div>
        {group.kind !== 'system' && (
          <span className="text-small whitespace-nowrap text-ink-3">
            <span aria-hidden="true">{t('tools.count', { on, all: group.tools.length })}</span>
            <span className="sr-only">{t('tools.countLong', { on, all: group.tools.length })}</span>
          </span>
        )}
      </header>
      <ul>
        {shown.map((tool) => (
          <ToolRow
            key={tool.id}
            tool={tool}
            on={onOf(tool)}
            onPress={readOnly ? null : (next) => press(draft.document.name, tool.id, next)}
          />
        ))}
      </ul>
    </section>
  )
}

/** One switch per tool; each edits the unsaved tools.txt. */
export function ToolSwitches({ draft, className }: { draft: Draft; className?: string }) {
  const { t } = useTranslation('profiles')
  const [search, setSearch] = useState('')
  const list = useTools((state) => state.lists[draft.document.name])
  const failure = useTools((state) => state.failure)
  const readOnly = draft.document.readOnlyFiles.includes('tools.txt')
  const groups = groupTools(list?.tools ?? [])
  const found = list?.tools.some((tool) => matchesTool(tool, search)) ?? false

  return (
    <div className={cx('min-h-0 flex-col gap-3', className)}>
      <SearchBox
        label={t('tools.search')}
        placeholder={t('tools.searchHint', { count: list?.tools.length ?? 0 })}
        value={search}
        onChange={setSearch}
      />
      {failure && <FailureBanner failure={failure} />}
      <div className="scroll-quiet grid min-h-0 flex-1 content-start gap-3 overflow-y-auto pb-1 *:min-w-0">
        {!list && !failure && <Skeleton className="h-40" />}
        {list && !found && <p className="text-ink-2">{search ? t('tools.none') : t('tools.empty')}</p>}
        {groups.map((group) => (
          <Group key={group.key} group={group} draft={draft} search={search} readOnly={readOnly} />
        ))}
      </div>
    </div>
  )
}
