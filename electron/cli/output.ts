import { errorWords } from '../strings/index.ts'

import type { Details, ErrorCode, InstalledSpace, Problem, RemoteTool } from '../contract/index.ts'

/** What a command prints: the keys beside `ok` with `--json`, lines of plain English without it. */
export interface Outcome {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: readonly string[]
  /** 1 when the command did its work and a tool or a Space reports a failure. */
  readonly exitCode?: 0 | 1
}

/** English words of an error code. */
export function words(code: ErrorCode, details: Details = {}): { message: string; hint: string } {
  return errorWords(code, details)
}

export function problemKeys(problem: Problem | undefined): { code?: ErrorCode; reason?: string } {
  return problem ? { code: problem.code, reason: words(problem.code, problem.details).message } : {}
}

export function toolJson(tool: RemoteTool): Record<string, unknown> {
  return {
    id: tool.id,
    remote_name: tool.remoteName,
    description: tool.description,
    status: tool.status,
    ...problemKeys(tool.problem),
  }
}

export function spaceJson(space: InstalledSpace): Record<string, unknown> {
  return {
    slug: space.slug,
    alias: space.alias,
    mcp_url: space.mcpUrl,
    private: space.private,
    tools: space.tools.map(toolJson),
  }
}

/** Remote text on a terminal: one line, no control or escape characters, shortened. */
export function plain(text: string, length = 100): string {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

export function spaceLines(space: InstalledSpace): string[] {
  const tools = space.tools.map((tool) =>
    tool.status === 'usable'
      ? `    ${tool.id ?? tool.remoteName}  ${plain(tool.description)}`
      : `    (not usable) ${plain(tool.remoteName, 60)}: ${problemKeys(tool.problem).reason ?? ''}`,
  )
  return [`${space.slug} (${space.alias})`, `  ${space.mcpUrl}`, ...(tools.length > 0 ? tools : ['    no tools'])]
}
