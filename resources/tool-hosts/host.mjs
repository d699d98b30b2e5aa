/**
 * Runs one JavaScript or TypeScript tool file in a process of its own. Arguments: the file's path, and whether its text comes
 * with the first message. Speaks to the app over the process's message channel only, so that whatever the tool prints is
 * no message.
 */
import { pathToFileURL } from 'node:url'

const [file = '', source = 'file'] = process.argv.slice(2)
const port = process.parentPort

const post = (message) => {
  if (port) port.postMessage(message)
  else if (process.connected) process.send(message)
}
const listen = (listener) => {
  if (port) port.on('message', ({ data }) => listener(data))
  else process.on('message', listener)
}
// The app is gone, or has let go: nothing here may go on.
process.on('disconnect', () => process.exit(0))

const running = new Map()
let tools = new Map()

const reasonOf = (error) => (error instanceof Error ? error.message || error.name : String(error))

/** A CommonJS file with `export` in it: older Node takes `.js` for CommonJS unless a package says otherwise. */
const isModuleSyntax = (error) =>
  error instanceof SyntaxError && /Unexpected token 'export'|Cannot use import statement/.test(error.message)

const asData = (text) => `data:text/javascript;base64,${Buffer.from(text, 'utf8').toString('base64')}`

async function load(text) {
  if (text !== undefined) return import(asData(text))
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    if (!isModuleSyntax(error)) throw error
    const { readFile } = await import('node:fs/promises')
    return import(asData(await readFile(file, 'utf8')))
  }
}

function toolsOf(exported) {
  const given = exported && typeof exported === 'object' && 'default' in exported && !exported.name ? exported.default : exported
  const list = Array.isArray(given) ? given : [given]
  for (const tool of list) {
    if (!tool || typeof tool !== 'object') throw new Error('the default export is a tool, or a list of tools')
    if (typeof tool.name !== 'string' || tool.name === '') throw new Error('a tool has a name')
    if (typeof tool.run !== 'function') throw new Error(`${tool.name} has no run function`)
  }
  return list
}

async function start(text) {
  try {
    const list = toolsOf((await load(text)).default)
    tools = new Map(list.map((tool) => [tool.name, tool]))
    const members = list.map(({ name, description, parameters }) => ({ name, description: description ?? '', parameters }))
    post({ type: 'ready', members: plain(members) })
  } catch (error) {
    post({ type: 'failed', reason: reasonOf(error) })
  }
}

/** The value as JSON holds it. @throws Error for what JSON cannot hold: cycles, big integers. */
function plain(value) {
  return value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null')
}

async function call({ id, member, arguments: args }) {
  const tool = tools.get(member)
  if (tool === undefined) {
    post({ type: 'error', id, kind: 'failed', reason: `no tool ${member}` })
    return
  }
  const controller = new AbortController()
  running.set(id, controller)
  const context = {
    signal: controller.signal,
    progress: (fraction, message) => post({ type: 'progress', id, fraction: Number(fraction), message: message === undefined ? undefined : String(message) }),
    log: (text) => post({ type: 'log', text: String(text) }),
  }
  let value
  try {
    value = await tool.run(args, context)
  } catch (error) {
    running.delete(id)
    post({ type: 'result', id, value: { error: reasonOf(error).slice(0, 4000) } })
    return
  }
  running.delete(id)
  try {
    post({ type: 'result', id, value: plain(value) })
  } catch (error) {
    post({ type: 'error', id, kind: 'bad-answer', reason: reasonOf(error) })
  }
}

listen((message) => {
  if (message?.type === 'start') void start(message.source)
  else if (message?.type === 'call') void call(message)
  else if (message?.type === 'cancel') running.get(message.id)?.abort()
})
post({ type: 'hello', file, source })
