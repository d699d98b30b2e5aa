import { INSTALL_STEPS } from '../contract/index.ts'

import type { InstallProgress, InstallStep, InstallStepState } from '../contract/index.ts'

/** What is known of a step when it begins: milliseconds. */
export type StepAbout = Pick<InstallStepState, 'limitMs' | 'expectedMs' | 'detail'>

/** The visible steps of one installation. Each change is told whole. */
export interface Steps {
  start(step: InstallStep, about?: StepAbout): void
  /** New detail of the running step. */
  say(detail: string): void
  done(detail?: string): void
  fail(detail?: string): void
  rename(slug: string): void
}

/** @param now milliseconds since 1970 */
export function createSteps(
  operationId: string,
  slug: string,
  tell: (progress: InstallProgress) => void,
  now: () => number,
): Steps {
  let name = slug
  let steps: InstallStepState[] = INSTALL_STEPS.map((step) => ({ step, state: 'pending' }))
  let startedAt = now()

  const update = (change: (step: InstallStepState) => InstallStepState): void => {
    steps = steps.map((step) => (step.state === 'running' ? change(step) : step))
    tell({ operationId, slug: name, steps })
  }
  const end = (state: 'done' | 'failed', detail: string | undefined): void => {
    const durationMs = Math.max(0, now() - startedAt)
    update((step) => ({ ...step, state, durationMs, ...(detail === undefined ? {} : { detail }) }))
  }

  return {
    start(step, about = {}) {
      startedAt = now()
      steps = steps.map((one) => (one.step === step ? { step, state: 'running', startedAt, ...about } : one))
      tell({ operationId, slug: name, steps })
    },
    say: (detail) => update((step) => (step.detail === detail ? step : { ...step, detail })),
    done: (detail) => end('done', detail),
    fail: (detail) => end('failed', detail),
    rename(next) {
      name = next
    },
  }
}
