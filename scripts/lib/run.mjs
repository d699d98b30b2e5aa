import { spawn } from 'node:child_process'
import path from 'node:path'

/** The checkout's root folder. */
export const root = path.resolve(import.meta.dirname, '..', '..')

/** One line of what the set-up does, on stderr so that the output of a wrapped program stays its own. */
export function say(text) {
  process.stderr.write(`» ${text}\n`)
}

/**
 * Runs a program to its end. Its input is closed: nothing here may wait for a keyboard.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number, capture?: boolean }} [options]
 *   `capture` returns what it prints instead of showing it.
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>} status 127 when the program does not exist, 124 after the time limit.
 */
export function run(command, args, { cwd = root, env = process.env, timeoutMs, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    })
    let stdout = ''
    let stderr = ''
    let late = false
    child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += text))
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            late = true
            child.kill('SIGKILL')
          }, timeoutMs)
    child.on('error', (error) => {
      clearTimeout(timer)
      if (error.code === 'ENOENT') resolve({ status: 127, stdout, stderr })
      else reject(error)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ status: late ? 124 : (code ?? 128 + (signal === 'SIGINT' ? 2 : 15)), stdout, stderr })
    })
  })
}

/** Runs npm: the one that runs us when there is one, which on Windows also avoids the `.cmd` launcher. */
export function npm(args, options) {
  const cli = process.env.npm_execpath
  if (cli !== undefined && /npm-cli\.(c|m)?js$/.test(cli)) return run(process.execPath, [cli, ...args], options)
  return process.platform === 'win32'
    ? run('cmd.exe', ['/d', '/c', 'npm.cmd', ...args], options)
    : run('npm', args, options)
}

/** Runs the JavaScript program of an installed package, without the shell launchers of `node_modules/.bin`. */
export function tool(file, args, options) {
  return run(process.execPath, [path.join(root, 'node_modules', file), ...args], options)
}

export const isRoot = process.getuid?.() === 0

/** Chromium refuses its sandbox to root (crbug.com/638180); an ordinary user keeps it. */
export const sandboxArguments = process.platform === 'linux' && isRoot ? ['--no-sandbox'] : []

/** Marks a failure whose message is all a person needs. */
export class SetupError extends Error {}

/** Runs `main`; a failure of the set-up is told in one line, anything else with its stack, both with exit status 1. */
export async function program(main) {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`)
    process.exitCode = 1
  }
}
