import { faceOf, faceOfAvatar } from './face-shape.ts'

import type { Avatar } from '../../../electron/contract/index.ts'

const TINTS: Record<Avatar['tint'], string> = {
  accent: 'fill-accent',
  space: 'fill-space',
  local: 'fill-local',
  success: 'fill-success',
  warn: 'fill-warn',
  ink: 'fill-ink-2',
}

/** The little face of a profile: the chosen one, else one that follows from its name. Hidden from screen readers. */
export function Face({ name, avatar, className = 'size-8' }: { name: string; avatar?: Avatar | undefined; className?: string }) {
  const { roll, left, right, eyeLeft, eyeRight, look, tint } = avatar ? faceOfAvatar(avatar) : faceOf(name)
  const at = ({ x, y }: { x: number; y: number }): string => `${x.toFixed(1)} ${y.toFixed(1)}`
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`shrink-0 overflow-visible ${className}`}>
      <g transform={`rotate(${roll} 16 20)`}>
        <path
          d={`M11 12L${at(left)}M21 12L${at(right)}`}
          stroke="var(--color-ink-2)"
          strokeWidth="1.4"
          strokeLinecap="round"
        />
        {avatar && <circle cx={left.x} cy={left.y} r="1.7" className={TINTS[tint]} />}
        {avatar && <circle cx={right.x} cy={right.y} r="1.7" className={TINTS[tint]} />}
        <rect x="3" y="10.5" width="26" height="18.5" rx="8.6" fill="var(--color-shell)" stroke="var(--color-shell-edge)" />
        <circle cx={11 + look.x} cy={19.6 + look.y} r={eyeLeft} fill="var(--color-eye)" />
        <circle cx={21.8 + look.x} cy={19.6 + look.y} r={eyeRight} fill="var(--color-eye)" />
      </g>
    </svg>
  )
}
