/**
 * An MCP server over stdio that does what its first argument says:
 * - nothing or `plain`: works; `noise`: prints what is no JSON-RPC before and between its answers
 * - `prints-then-exits`: a greeting on stdout, then exit code 1; `stderr-then-exits`: an error on stderr, then exit code 3
 * - `silent`: never answers; `deaf`: answers, and ignores the end of its input and SIGTERM
 * - `malformed`: answers calls with what is no result; `endless`: answers calls with a line that does not end
 * - `closes-stdout`: answers the handshake, then closes its output and goes on
 */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const mode = process.argv[2] ?? 'plain'

if (mode === 'prints-then-exits') {
  process.stdout.write('hello\n', () => process.exit(1))
} else if (mode === 'stderr-then-exits') {
  process.stderr.write(
    `Traceback\n\u001b[31mModuleNotFoundError\u001b[0m: ${process.env.API_TOKEN ?? 'no'}\u0007\n`,
    () => process.exit(3),
  )
} else {
  serve()
}

function serve() {
  if (mode === 'deaf') {
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1_000)
  }
  if (mode === 'noise') process.stdout.write('Starting …\n\n[1, 2]\n{"half": \n{"jsonrpc":"2.0"}\n')
  if (mode === 'silent') {
    process.stdin.resume()
    return
  }
  createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)))
}

function answer({ id, method, params }) {
  if (mode === 'noise') process.stdout.write(`got ${method}\n`)
  if (id === undefined) return
  const send = (result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  if (method === 'initialize') {
    send({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: mode, version: '1' },
    })
    if (mode === 'closes-stdout') {
      setTimeout(() => closeSync(1), 20)
      setInterval(() => undefined, 1_000)
    }
    return
  }
  if (mode === 'closes-stdout') return
  const schema = { type: 'object', properties: {} }
  const names = ['echo', 'env', 'cwd', 'argv', 'pid', 'crash', 'killed', 'slow', 'child', 'progress', 'big']
  if (method === 'tools/list') return send({ tools: names.map((name) => ({ name, inputSchema: schema })) })
  const text = (value) => send({ content: [{ type: 'text', text: String(value) }] })
  if (mode === 'malformed') return send({ _meta: null })
  if (mode === 'endless') return void process.stdout.write(`{"x":"${'x'.repeat(300_000)}`)
  run(params, text)
}

function run({ name, arguments: args = {}, _meta = {} }, text) {
  switch (name) {
    case 'env':
      return text(JSON.stringify(process.env))
    case 'cwd':
      return text(process.cwd())
    case 'argv':
      return text(JSON.stringify(process.argv.slice(2)))
    case 'pid':
      return text(process.pid)
    case 'crash':
      process.stderr.write('out of luck\n', () => process.exit(7))
      return
    case 'killed':
      return void process.kill(process.pid, 'SIGKILL')
    case 'slow':
      return
    case 'child': {
      // Holds this process's output open and outlives it, unless the group is ended.
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      return text(child.pid)
    }
    case 'progress':
      for (const progress of [1, 2]) {
        const note = { progressToken: _meta.progressToken, progress, total: 2 }
        process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: note })}\n`)
      }
      setTimeout(() => text('done'), 50)
      return
    case 'big':
      return text('ü'.repeat(args.length ?? 1_000_000))
    default:
      return text(`Echo: ${args.message}`)
  }
}
