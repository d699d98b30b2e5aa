import { ADVISED_TOKENS, ADVISED_TOOLS } from '../../../../electron/contract/constants.ts'

import type { ToolEntry } from '../../../../electron/contract/index.ts'

/** Kinds of what a request begins with, in the order of the bar. */
export const METER_PARTS = ['prompt', 'built-in', 'local', 'remote'] as const
export type MeterPart = (typeof METER_PARTS)[number]

export interface Meter {
  /** Estimated tokens by kind. */
  readonly parts: Readonly<Record<MeterPart, number>>
  readonly tokens: number
  /** Tools that are on and that the model gets; the ones that are always on cost tokens and are nobody's choice. */
  readonly tools: number
  readonly tooManyTools: boolean
  readonly tooManyTokens: boolean
}

export interface Measured {
  readonly tools: readonly ToolEntry[]
  readonly weights: Readonly<Record<string, number>>
  readonly isListed: (id: string) => boolean
  /** Estimated tokens of the prompt. */
  readonly prompt: number
}

/** What prompt and tools of a profile take of a model's window. */
export function measure({ tools, weights, isListed, prompt }: Measured): Meter {
  const parts: Record<MeterPart, number> = { prompt, 'built-in': 0, local: 0, remote: 0 }
  let count = 0
  for (const tool of tools) {
    const on = tool.system || tool.autoloaded === true || isListed(tool.id)
    if (!on || !tool.available || tool.permission === 'refuse') continue
    const kind = tool.source === 'space' || tool.source === 'server' ? 'remote' : tool.source
    parts[kind] += weights[tool.id] ?? 0
    if (!tool.system) count += 1
  }
  const tokens = METER_PARTS.reduce((sum, part) => sum + parts[part], 0)
  return { parts, tokens, tools: count, tooManyTools: count > ADVISED_TOOLS, tooManyTokens: tokens > ADVISED_TOKENS }
}

/** Ticks of the whole scale, and every how many a long one stands. */
export const TICKS = 32
export const LONG_TICK = 4

/** End of the scale: the advised size, doubled until everything fits, so that ticks stay round numbers. */
export function scaleEnd(tokens: number): number {
  let end = ADVISED_TOKENS
  while (end < tokens) end *= 2
  return end
}

export interface Segment {
  readonly part: MeterPart
  readonly x: number
  readonly width: number
}

/** Bars narrower than this cannot be seen. */
const NARROWEST = 2
const GAP = 1.5

/** The parts side by side on a bar of this width; what takes nothing is missing. */
export function segments({ parts, tokens }: Pick<Meter, 'parts' | 'tokens'>, width: number): Segment[] {
  const perToken = width / scaleEnd(tokens)
  let x = 0
  return METER_PARTS.flatMap((part) => {
    if (parts[part] === 0) return []
    const wide = Math.max(NARROWEST, parts[part] * perToken)
    const segment = { part, x, width: Math.max(NARROWEST, wide - GAP) }
    x += Math.max(wide, segment.width + GAP)
    return [segment]
  })
}
