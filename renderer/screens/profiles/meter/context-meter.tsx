import { TriangleAlert } from 'lucide-react'
import { useEffect, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { ADVISED_TOKENS, ADVISED_TOOLS } from '../../../../electron/contract/constants.ts'
import { formatNumber } from '../../../app/format.ts'
import { useTools } from '../../../stores/tools.ts'
import { isOn } from '../drafts.ts'

import { LONG_TICK, METER_PARTS, TICKS, measure, scaleEnd, segments } from './meter.ts'
import { usePromptTokens } from './use-prompt-tokens.ts'

import type { ToolEntry, ToolWeights } from '../../../../electron/contract/index.ts'
import type { Draft } from '../drafts.ts'
import type { Meter, MeterPart } from './meter.ts'
import type { PromptTokens } from './use-prompt-tokens.ts'

const FILLS: Record<MeterPart, string> = {
  prompt: 'fill-ink-3',
  'built-in': 'fill-builtin',
  local: 'fill-local',
  remote: 'fill-space',
}

/** Width and height of the drawing; it is stretched to the room there is. */
const WIDTH = 560
const BAR = 8

const at = (k: number): string => ((k * WIDTH) / TICKS).toFixed(1)

function tickPath(isLong: boolean): string {
  return Array.from({ length: TICKS + 1 }, (_, k) => k)
    .filter((k) => (k % LONG_TICK === 0) === isLong)
    .map((k) => `M${at(k)} 12v${isLong ? 6 : 3}`)
    .join('')
}

const SHORT = tickPath(false)
const LONG = tickPath(true)

function Bar({ meter, label, describedBy }: { meter: Meter; label: string; describedBy: string }) {
  const end = scaleEnd(meter.tokens)
  const budget = (ADVISED_TOKENS / end) * WIDTH
  return (
    <svg
      role="img"
      aria-label={label}
      aria-describedby={describedBy}
      viewBox={`-1 0 ${WIDTH + 2} 20`}
      preserveAspectRatio="none"
      className="h-5 min-w-24 flex-1"
    >
      <rect width={WIDTH} height={BAR} rx="1.5" className="fill-sunken stroke-line" />
      {segments(meter, WIDTH).map(({ part, x, width }) => (
        <rect key={part} x={x} width={width} height={BAR} rx="1.5" className={FILLS[part]} />
      ))}
      <path d={SHORT} className="stroke-line-strong" />
      <path d={LONG} className="stroke-ink-3" />
      {meter.tooManyTokens && <path d={`M${budget} -1v20`} strokeWidth="2" className="stroke-warn" />}
    </svg>
  )
}

const NO_TOOLS: readonly ToolEntry[] = []
const NO_WEIGHTS: ToolWeights['tokens'] = {}

interface Measuring {
  meter: Meter
  /** Neither prompt nor tools are missing from the sum. */
  known: boolean
  failed: boolean
}

function useMeter(draft: Draft): Measuring {
  const { ids, pending } = draft
  const { name } = draft.document
  const list = useTools((state) => state.lists[name])
  const weights = useTools((state) => state.weights[name])
  const failure = useTools((state) => state.weightsFailure)
  const prompt: PromptTokens = usePromptTokens(draft)
  const version = list?.version
  useEffect(() => {
    if (version !== undefined) void useTools.getState().weigh(name, version)
  }, [name, version])
  const meter = useMemo(
    () =>
      measure({
        tools: list?.tools ?? NO_TOOLS,
        weights: weights?.tokens ?? NO_WEIGHTS,
        isListed: (id) => isOn({ ids, pending }, id),
        prompt: prompt.tokens ?? 0,
      }),
    [list, weights, ids, pending, prompt.tokens],
  )
  return {
    meter,
    known: list !== undefined && weights !== undefined && prompt.tokens !== null,
    failed: prompt.failed || failure !== null,
  }
}

/** How much of a model's window prompt and tools take, and how many tools it is given. Estimates, live. */
export function ContextMeter({ draft }: { draft: Draft }) {
  const { t, i18n } = useTranslation('local')
  const id = useId()
  const { meter, known, failed } = useMeter(draft)
  const number = (value: number): string => formatNumber(i18n.language, value)
  const used = known ? number(meter.tokens) : '–'
  const budget = number(ADVISED_TOKENS)
  const { tooManyTools, tooManyTokens } = meter
  return (
    <div
      role="group"
      aria-label={t('meter.label')}
      className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-1 pr-5 pb-3 pl-5 narrow:px-4"
    >
      <div className="flex items-center gap-4 narrow:gap-3">
        <Bar meter={meter} label={t('meter.used', { used, budget })} describedBy={`${id}-parts`} />
        <p className="text-small whitespace-nowrap text-ink-3">
          {t('meter.about')} <strong className="font-strong text-ink">{used}</strong> {t('meter.of', { budget })}
          <span aria-hidden="true" className="mx-2 inline-block size-0.75 rounded-full bg-ink-3 align-middle" />{' '}
          <strong className={tooManyTools ? 'font-strong text-warn' : 'font-strong text-ink'}>{meter.tools}</strong>{' '}
          {t('meter.tools', { count: meter.tools, most: ADVISED_TOOLS })}
        </p>
      </div>
      <p id={`${id}-parts`} className="sr-only">
        {METER_PARTS.map((part) => t(`meter.part.${part}`, { tokens: number(meter.parts[part]) })).join(' ')}{' '}
        {t('meter.estimate')}
      </p>
      <p role="status" className="flex items-start gap-1.5 text-small text-warn empty:hidden">
        {(tooManyTools || tooManyTokens || failed) && (
          <>
            <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
            <span className="min-w-0">
              {failed
                ? t('meter.failed')
                : [tooManyTools && t('meter.manyTools', { most: ADVISED_TOOLS }), tooManyTokens && t('meter.manyTokens', { budget })]
                    .filter(Boolean)
                    .join(' ')}
            </span>
          </>
        )}
      </p>
    </div>
  )
}
