import { useTranslation } from 'react-i18next'

import { RISK_CLASSES } from '../../../../electron/contract/constants.ts'
import { Select, SourceGlyph } from '../../../components/index.ts'

import type { ProfilePermission, ToolEntry } from '../../../../electron/contract/index.ts'

const CHOICES = ['everywhere', 'ask', 'refuse'] as const
type Choice = (typeof CHOICES)[number]

export interface PermissionTableProps {
  /** The tools that are on. */
  tools: readonly ToolEntry[]
  permissions: Readonly<Record<string, ProfilePermission>>
  onChange: (id: string, permission: ProfilePermission | null) => void
}

/** What the profile says of each enabled tool beyond on and off. It can only be stricter than what holds everywhere. */
export function PermissionTable({ tools, permissions, onChange }: PermissionTableProps) {
  const { t } = useTranslation('local')
  if (tools.length === 0) return <p className="text-ink-2">{t('permissions.none')}</p>
  const options = CHOICES.map((value) => ({ value, label: t(`permissions.choice.${value}`) }))
  return (
    <table aria-label={t('permissions.title')} className="w-full table-fixed border-collapse text-left">
      <thead>
        <tr className="text-small text-ink-3">
          <th scope="col" className="py-1 font-normal">
            {t('permissions.tool')}
          </th>
          <th scope="col" className="w-36 py-1 font-normal">
            {t('permissions.kind')}
          </th>
          <th scope="col" className="w-44 py-1 font-normal">
            {t('permissions.here')}
          </th>
        </tr>
      </thead>
      <tbody>
        {tools.map((tool) => {
          const risk = RISK_CLASSES[tool.riskClass ?? -1]
          return (
            <tr key={tool.id} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 font-normal">
                <span className="flex items-center gap-2">
                  <SourceGlyph source={tool.source} size="s" />
                  <span title={tool.id} className="mono min-w-0 truncate text-ink">
                    {tool.shortName}
                  </span>
                </span>
              </th>
              <td className="py-1.5 pr-3 text-small text-ink-2">
                {risk && (
                  <>
                    <span className="text-ink-3">{tool.riskClass}</span> {t(`kinds.${risk}`, { ns: 'trust' })}
                  </>
                )}
              </td>
              <td className="py-1.5">
                <Select<Choice>
                  label={t('permissions.of', { id: tool.id })}
                  value={permissions[tool.id] ?? 'everywhere'}
                  onChange={(next) => onChange(tool.id, next === 'everywhere' ? null : next)}
                  options={options}
                  className="w-full"
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
