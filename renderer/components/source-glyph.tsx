import { useTranslation } from 'react-i18next'

import { cx } from './cx.ts'
import { CodeFileIcon, FaceIcon, PlanetIcon } from './icons.tsx'

import type { ToolSource } from '../../electron/contract/index.ts'

const GLYPHS = { 'built-in': FaceIcon, local: CodeFileIcon, space: PlanetIcon, server: PlanetIcon } as const

const COLOURS: Record<ToolSource, string> = {
  'built-in': 'text-builtin',
  local: 'text-local',
  space: 'text-space',
  server: 'text-space',
}

/** Where a tool comes from, as a glyph on a tile; the word is there for the screen reader. */
export function SourceGlyph({ source, size = 'm' }: { source: ToolSource; size?: 's' | 'm' | undefined }) {
  const { t } = useTranslation('common')
  const Glyph = GLYPHS[source]
  return (
    <span
      className={cx(
        'inline-grid shrink-0 place-items-center bg-sunken',
        COLOURS[source],
        size === 's' ? 'size-5.5 rounded-md [&_svg]:size-3.75' : 'size-7 rounded-control [&_svg]:size-4.5',
      )}
    >
      <Glyph />
      <span className="sr-only">{t(`source.${source}`)}</span>
    </span>
  )
}

/** Where a tool comes from, as glyph and word in its colour. */
export function SourceLine({ source }: { source: ToolSource }) {
  const { t } = useTranslation('common')
  const Glyph = GLYPHS[source]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.25 text-small whitespace-nowrap [&_svg]:size-3.75',
        COLOURS[source],
      )}
    >
      <Glyph />
      {t(`source.${source}`)}
    </span>
  )
}
