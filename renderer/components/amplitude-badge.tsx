import { useTranslation } from 'react-i18next'

import type { MoveInfo } from '../../electron/contract/index.ts'

const BARS = [4, 6.5, 9, 11.5, 14]
const LIT = { gentle: 1, lively: 3, large: 5 } as const

/** How large a move is: bars and a word; the figures are in the description. */
export function AmplitudeBadge({ amplitude, word = true }: { amplitude: MoveInfo['amplitude']; word?: boolean }) {
  const { t } = useTranslation('robot')
  const degrees = (radians: number): number => Math.round((radians * 180) / Math.PI)
  const text = t(`amplitude.${amplitude.word}`)
  const figures = t('amplitude.figures', { angle: degrees(amplitude.maxAngle), speed: degrees(amplitude.maxSpeed) })
  return (
    <span title={figures} className="inline-flex items-center gap-1.5 text-small whitespace-nowrap text-ink-2">
      <svg viewBox="0 0 22 14" aria-hidden="true" className="h-3 w-4.5">
        {BARS.map((height, i) => (
          <rect
            key={height}
            x={i * 4.6}
            y={14 - height}
            width={2.6}
            height={height}
            rx={1}
            fill={i < LIT[amplitude.word] ? 'var(--color-ink-2)' : 'var(--color-line-strong)'}
          />
        ))}
      </svg>
      <span className={word ? undefined : 'sr-only'}>{text}</span>
    </span>
  )
}
