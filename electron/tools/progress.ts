import { cut, visible } from './text.ts'

import type { McpProgress } from '../mcp/index.ts'
import type { ToolProgress } from './types.ts'

const STEP_OF = /(?:step|chunk|batch|frame|image|file)?\s*(\d+)\s*(?:of|\/)\s*(\d+)\s*$/i
const QUEUE = /in queue/i

/**
 * Progress as the screen shows it. Gradio sends no total and only counts its own messages; the real share is in the
 * text ("Progress Counting: Step 1 of 3"). A place in a queue is no share of the work.
 */
export function readProgress(progress: McpProgress): ToolProgress {
  const message = progress.message === undefined ? '' : visible(cut(progress.message, 200)).trim()
  const share = shareOf(progress, message)
  return {
    ...(share === undefined ? {} : { fraction: Math.min(1, Math.max(0, share)) }),
    ...(message === '' ? {} : { message }),
  }
}

function shareOf(progress: McpProgress, message: string): number | undefined {
  if (progress.total !== undefined && progress.total > 0) return progress.progress / progress.total
  if (QUEUE.test(message)) return undefined
  const match = STEP_OF.exec(message)
  const total = Number(match?.[2])
  return match && total > 0 ? Number(match[1]) / total : undefined
}
