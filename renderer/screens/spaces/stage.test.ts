import { describe, expect, it } from 'vitest'

import { hardwareName, stageOf } from './stage.ts'

describe('stageOf', () => {
  it.each([
    ['RUNNING', 'on', 'running'],
    ['RUNNING_BUILDING', 'on', 'running'],
    ['RUNNING_APP_STARTING', 'on', 'running'],
    ['SLEEPING', 'off', 'asleep'],
    ['STOPPED', 'off', 'asleep'],
    ['BUILDING', 'wait', 'building'],
    ['APP_STARTING', 'wait', 'starting'],
    ['PAUSED', 'off', 'paused'],
    ['RUNTIME_ERROR', 'bad', 'error'],
    ['BUILD_ERROR', 'bad', 'error'],
    ['CONFIG_ERROR', 'bad', 'error'],
    ['NO_APP_FILE', 'bad', 'error'],
    ['DELETING', 'bad', 'deleting'],
    ['TELEPORTING', 'off', 'other'],
    ['', 'off', 'unknown'],
    [undefined, 'off', 'unknown'],
  ] as const)('%s is a lamp %s with the words of %s', (stage, tone, word) => {
    expect(stageOf(stage)).toEqual({ tone, word })
  })
})

describe('hardwareName', () => {
  it.each([
    ['cpu-basic', 'CPU basic'],
    ['cpu-upgrade', 'CPU upgrade'],
    ['zero-a10g', 'ZeroGPU'],
    ['t4-small', 'T4 small'],
    ['a100-large', 'A100 large'],
    ['l40sx4', 'L40SX4'],
    ['custom', 'Custom'],
  ])('%s is %s', (hardware, name) => {
    expect(hardwareName(hardware)).toBe(name)
  })
})
