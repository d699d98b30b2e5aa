import { CompanionError } from '../contract/index.ts'

import { asker } from './ask.ts'
import { profileOf } from './context.ts'
import { plain, problemKeys } from './output.ts'
import { withRobot } from './robot.ts'

import type { Approval, JsonObject, JsonValue, ToolEntry, ToolFile, ToolFileInfo } from '../contract/index.ts'
import type { Command } from './context.ts'

export const list: Command = async (context) => {
  const profile = await profileOf(context)
  const { tools, unknown, notices } = await context.companion.tools.list(profile)
  return {
    json: {
      profile,
      tools: tools.map((tool) => ({
        id: tool.id,
        source: tool.source,
        origin: tool.origin,
        description: tool.description,
        enabled: tool.enabled,
        available: tool.available,
        ...problemKeys(tool.problem),
        ...(tool.permission === undefined ? {} : { permission: tool.permission }),
        ...(tool.autoloaded === true ? { autoloaded: true } : {}),
        ...(tool.file === undefined ? {} : { file: fileInfoJson(tool.file) }),
      })),
      unknown: unknown.map(({ line, text, suggestion }) => ({
        line,
        text,
        ...(suggestion === undefined ? {} : { suggestion }),
      })),
      ...(notices.length === 0 ? {} : { notices: notices.map(problemKeys) }),
    },
    text: [
      `Profile ${profile}`,
      ...tools.map(toolLine),
      ...notices.map((notice) => plain(problemKeys(notice).reason ?? notice.code, 400)),
      ...unknown.map(
        ({ line, text, suggestion }) =>
          `line ${line}: ${plain(text)} is unknown${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
      ),
    ],
  }
}

/** How a tool is marked: on, off, or on and kept from the model. */
function toolLine({ id, source, enabled, available, problem, description, permission }: ToolEntry): string {
  const mark = !enabled ? '[ ]' : permission === 'refuse' ? '[-]' : '[x]'
  const asks = permission === 'ask' ? '  asks each time' : ''
  const about = available ? plain(description, 70) : plain(problemKeys(problem).reason ?? 'not available', 400)
  return `${mark} ${id}  ${source}${asks}  ${about}`
}

const fileInfoJson = ({
  path,
  language,
  bytes,
  sha256,
  state,
  profile,
  members,
}: ToolFileInfo): Record<string, unknown> => ({
  path,
  language,
  bytes,
  sha256,
  state,
  ...(profile === null ? {} : { profile }),
  tools: members.map(({ name, description }) => ({ name, description })),
})

/** Only an object: what is forgiven to a model is a slip in a script. */
function argumentsOf(id: string, text: string | undefined): JsonObject {
  if (text === undefined) return {}
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch (cause) {
    throw new CompanionError('tools/bad-arguments', { id, reason: 'must be valid JSON' }, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CompanionError('tools/bad-arguments', { id, reason: 'must be a JSON object' })
  }
  return value
}

const fileJson = ({ name, mimeType, bytes, data, problem }: ToolFile): Record<string, unknown> => ({
  name,
  mime_type: mimeType,
  bytes,
  ...(data === undefined ? {} : { data }),
  ...problemKeys(problem),
})

function fileLine({ name, mimeType, bytes, data, problem }: ToolFile): string {
  if (data === undefined) return `[${plain(name)}: ${problemKeys(problem).reason ?? 'not fetched'}]`
  return `[file ${plain(name)}, ${mimeType}, ${Math.ceil(bytes / 1024)} KB; --json has it]`
}

export const call: Command = async (context) => {
  const { tools } = context.companion
  const [id = '', text] = context.words
  const profile = await profileOf(context)
  const args = argumentsOf(id, text)
  const entry = await tools.find(id, profile)
  const { approve } = asker(context)
  const run = async (): Promise<Awaited<ReturnType<typeof tools.call>>> => {
    const called = await tools.call({
      name: id,
      arguments: args,
      profile,
      signal: context.signal,
      ...(approve === undefined
        ? {}
        : { approve: (approval: Approval) => approve({ toolId: entry?.id ?? id, arguments: args, approval }) }),
      onProgress: ({ message }) => {
        if (message !== undefined) context.progress(plain(message))
      },
    })
    await tools.motionsEnded()
    return called
  }
  const { result } = entry?.source === 'built-in' && !entry.system ? await withRobot(context, run) : await run()
  return {
    json: {
      result: {
        text: result.text,
        ...(result.structured === undefined ? {} : { structured: result.structured }),
        images: result.images.map(({ mimeType, data }) => ({ mime_type: mimeType, data })),
        ...(result.files === undefined ? {} : { files: result.files.map(fileJson) }),
        ...(result.warnings === undefined ? {} : { warnings: result.warnings }),
        is_error: result.isError,
      },
      duration_ms: Math.round(result.durationMs),
    },
    text: [
      ...(result.text === '' ? [] : result.text.split('\n').map((line) => plain(line, 2_000))),
      ...result.images.map(
        ({ mimeType, data }) => `[picture, ${mimeType}, ${Math.round((data.length * 3) / 4 / 1024)} KB; --json has it]`,
      ),
      ...(result.files ?? []).map(fileLine),
      ...(result.warnings ?? []).map((warning) => `[marked: ${warning}]`),
    ],
    ...(result.isError ? { exitCode: 1 as const } : {}),
  }
}
