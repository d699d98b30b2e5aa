import { memo, useCallback, useId } from 'react'
import { useTranslation } from 'react-i18next'

import { CheckBox, SourceGlyph } from '../../../components/index.ts'
import { useDrafts } from '../draft-store.ts'
import { NewFileButton } from '../local/new-file-button.tsx'

import { groupState } from './row-state.ts'
import { ToolRow } from './tool-row.tsx'

import type { ToolEntry } from '../../../../electron/contract/index.ts'
import type { ToolGroup } from '../tool-groups.ts'

export interface ToolGroupSectionProps {
  group: ToolGroup
  profile: string
  /** Those that the search left; the box and the count are about all of the group. */
  shown: readonly ToolEntry[]
  /** IDs that the text of tools.txt names now. */
  listed: ReadonlySet<string>
  readOnly: boolean
}

/** The tools of one source under its name, with one box for all of them. */
export const ToolGroupSection = memo(function ToolGroupSection(props: ToolGroupSectionProps) {
  const { group, profile, shown, listed, readOnly } = props
  const { t } = useTranslation('profiles')
  const id = useId()
  const { on, all, choice, enable, disable } = groupState(group.tools, (tool) => listed.has(tool), readOnly)
  const title = group.kind === 'remote' ? group.title : t(`tools.group.${group.kind}`)
  const press = useCallback(
    (tool: string, next: boolean) => useDrafts.getState().press(profile, tool, next),
    [profile],
  )
  return (
    <section aria-labelledby={id}>
      <header className="flex items-center gap-2 pr-1 pb-1">
        <SourceGlyph source={group.source} size={group.kind === 'remote' ? 'm' : 's'} />
        <div className="min-w-0 flex-1">
          <h3 id={id} className="truncate font-strong" title={title}>
            {title}
          </h3>
          {group.owner && <p className="truncate text-small text-ink-3">{group.owner}</p>}
        </div>
        {group.kind === 'local' && <NewFileButton />}
        {group.kind !== 'system' && all > 0 && (
          <span className="text-small whitespace-nowrap text-ink-3">
            <span aria-hidden="true">{t('tools.count', { on, all })}</span>
            <span className="sr-only">{t('tools.countLong', { on, all })}</span>
          </span>
        )}
        {group.kind !== 'system' && all > 1 && (
          <CheckBox
            label={t('all', { ns: 'local', name: title })}
            checked={choice === 'some' ? 'mixed' : choice === 'all'}
            disabled={enable.length === 0 && disable.length === 0}
            onChange={(next) => useDrafts.getState().pressAll(profile, next ? enable : disable, next)}
          />
        )}
      </header>
      {all === 0 && (
        <p className="border-t border-line py-2 pl-1 text-small text-pretty text-ink-3">{t('noFiles', { ns: 'local' })}</p>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((tool) => (
            <ToolRow key={tool.id} tool={tool} listed={listed.has(tool.id)} readOnly={readOnly} onPress={press} />
          ))}
        </ul>
      )}
    </section>
  )
})
