import type { LampTone } from '../../components/index.ts'

export type StageWord =
  'running' | 'asleep' | 'starting' | 'building' | 'paused' | 'error' | 'deleting' | 'unknown' | 'other'

export interface Stage {
  tone: LampTone
  /** Key of the words; `other` shows the Hub's own word. */
  word: StageWord
}

const STAGES: Readonly<Record<string, Stage>> = {
  RUNNING: { tone: 'on', word: 'running' },
  RUNNING_BUILDING: { tone: 'on', word: 'running' },
  RUNNING_APP_STARTING: { tone: 'on', word: 'running' },
  SLEEPING: { tone: 'off', word: 'asleep' },
  STOPPED: { tone: 'off', word: 'asleep' },
  APP_STARTING: { tone: 'wait', word: 'starting' },
  BUILDING: { tone: 'wait', word: 'building' },
  PAUSED: { tone: 'off', word: 'paused' },
  BUILD_ERROR: { tone: 'bad', word: 'error' },
  RUNTIME_ERROR: { tone: 'bad', word: 'error' },
  CONFIG_ERROR: { tone: 'bad', word: 'error' },
  NO_APP_FILE: { tone: 'bad', word: 'error' },
  DELETING: { tone: 'bad', word: 'deleting' },
}

/**
 * The Hub's runtime stage as lamp and words. The stages are an open set (`SpaceStage` of huggingface_hub knows most of
 * them); one that is not known is shown as it is.
 */
export function stageOf(stage: string | undefined): Stage {
  if (!stage) return { tone: 'off', word: 'unknown' }
  return STAGES[stage] ?? { tone: 'off', word: 'other' }
}

const NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  gpu: 'GPU',
  zero: 'Zero',
  a10g: 'A10G',
  tpu: 'TPU',
  xl: 'XL',
}

/** The Hub's name of the hardware for people: `cpu-basic` → `CPU basic`, `zero-a10g` → `ZeroGPU`, `t4-small` → `T4 small`. */
export function hardwareName(hardware: string): string {
  if (hardware.startsWith('zero')) return 'ZeroGPU'
  const [first = '', ...rest] = hardware.split('-')
  const head = NAMES[first] ?? (/\d/.test(first) ? first.toUpperCase() : first.charAt(0).toUpperCase() + first.slice(1))
  return [head, ...rest.map((word) => NAMES[word] ?? word)].join(' ')
}
