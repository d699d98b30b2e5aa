import { describe, expect, it } from 'vitest'

import { CompanionError } from '../contract/index.ts'

import { ROUTE_NAMES } from './handlers.ts'
import { createRouter } from './router.ts'

import type { Log } from '../contract/index.ts'
import type { Handlers } from './handlers.ts'

const lines: string[] = []
const collect = (message: string, fields?: unknown): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: collect, info: collect, warn: collect, error: collect }

/** Every handler answers with what it was given; `settings.testProvider` and `chat.stop` fail. */
function routerWithEcho() {
  const called: string[] = []
  const echo = Object.fromEntries(
    ROUTE_NAMES.map((route) => [
      route,
      async (request: unknown) => {
        called.push(route)
        return request
      },
    ]),
  )
  const handlers = {
    ...echo,
    'settings.testProvider': async () => Promise.reject(new CompanionError('provider/unauthorized')),
    'chat.stop': async () => Promise.reject(new TypeError('x is not a function')),
  } as unknown as Handlers
  return { called, route: createRouter(handlers, log) }
}

const trusted = { trusted: true }

describe('a request', () => {
  it('is parsed, with defaults filled in, and answered in an envelope', async () => {
    const { route } = routerWithEcho()
    expect(await route(trusted, 'chat.send', { text: 'hello' })).toEqual({
      ok: true,
      value: { text: 'hello', provider: 'set' },
    })
  })

  it('without a payload is one with an empty object', async () => {
    expect(await routerWithEcho().route(trusted, 'settings.get', undefined)).toEqual({ ok: true, value: {} })
  })

  it.each([
    ['chat.send', { text: '' }],
    ['chat.send', { text: 'a'.repeat(32_001) }],
    ['chat.send', { text: 'a', extra: 1 }],
    ['chat.send', 'text'],
    ['app.openSpacePage', { slug: 5 }],
    ['settings.setSecret', { name: 'other', value: 'x' }],
    ['robot.emergencyStop', { now: true }],
  ])('that does not fit (%s) reaches no handler', async (name, payload) => {
    const { called, route } = routerWithEcho()
    expect(await route(trusted, name, payload)).toMatchObject({ ok: false, error: { code: 'ipc/invalid' } })
    expect(called).toEqual([])
  })

  it.each(['', 'nothing', '__proto__', 'constructor', 'toString', 5, null, { toString: () => 'chat.stop' }])(
    'for the unknown route %j is refused',
    async (name) => {
      expect(await routerWithEcho().route(trusted, name, {})).toMatchObject({
        ok: false,
        error: { code: 'ipc/no-route' },
      })
    },
  )

  it('from elsewhere is refused before anything is read', async () => {
    const { called, route } = routerWithEcho()
    const answer = await route({ trusted: false }, 'robot.emergencyStop', {})
    expect(answer).toMatchObject({ ok: false, error: { code: 'ipc/forbidden' } })
    expect(called).toEqual([])
  })

  it('that fails is answered with its code', async () => {
    const answer = await routerWithEcho().route(trusted, 'settings.testProvider', { baseUrl: 'http://x', model: 'm' })
    expect(answer).toMatchObject({ ok: false, error: { code: 'provider/unauthorized' } })
  })

  it('that meets a fault of ours says so without its text, which the log keeps', async () => {
    lines.length = 0
    const answer = await routerWithEcho().route(trusted, 'chat.stop', {})
    expect(answer).toMatchObject({ ok: false, error: { code: 'app/internal' } })
    expect(JSON.stringify(answer)).not.toContain('is not a function')
    expect(lines.join()).toContain('chat.stop')
  })

  it('is never repeated in the log when it is refused: it may hold a key', async () => {
    lines.length = 0
    await routerWithEcho().route(trusted, 'settings.setSecret', {
      name: 'model-key',
      value: 'topsecret',
      more: 'topsecret',
    })
    expect(lines.join()).toContain('settings.setSecret')
    expect(lines.join()).not.toContain('topsecret')
  })
})
