import { describe, expect, it } from 'vitest'

import { draftOf, fieldsOf, isComplete, isEditable, isPlainHttp, NO_FIELDS, placeOf } from './server-fields.ts'

import type { ServerDraft } from '../../../../electron/contract/index.ts'

const program = { ...NO_FIELDS, kind: 'stdio' as const, name: 'x', command: 'npx' }

describe('the form of a server', () => {
  it.each<ServerDraft>([
    { name: 'home', target: { kind: 'http', url: 'http://homeassistant.local:8123/mcp' } },
    { name: 'home', target: { kind: 'http', url: 'https://a.example/', tokenEnv: 'T', allowInsecureHttp: true } },
    { name: 'x', target: { kind: 'stdio', command: 'npx', args: [] } },
    { name: 'x', target: { kind: 'stdio', command: 'C:\\My Tools\\s.exe', args: ['-c', 'a b; c', '', '"q"'] } },
    {
      name: 'x',
      target: {
        kind: 'stdio',
        command: 'uvx',
        args: ['', 'last'],
        env: { A: 'b=c', B: '' },
        envFrom: ['T', 'U'],
        cwd: '/s',
      },
    },
  ])('%j comes back as it was', (draft) => {
    expect(isEditable(draft)).toBe(true)
  })

  it('a line end in an argument does not, and is not split behind the back of the person', () => {
    expect(isEditable({ name: 'x', target: { kind: 'stdio', command: 'sh', args: ['-c', 'a\nb'] } })).toBe(false)
    expect(isEditable({ name: 'x', target: { kind: 'stdio', command: 'sh', args: [], env: { A: 'a\nb' } } })).toBe(
      false,
    )
  })

  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\r\nb c\r\n', ['a', 'b c']],
    ['\n', ['']],
    ['a\n\nb', ['a', '', 'b']],
  ])('arguments %j', (args, expected) => {
    expect(draftOf({ ...program, args })).toMatchObject({ draft: { target: { args: expected } } })
  })

  it('names the line of the values that says nothing', () => {
    expect(draftOf({ ...program, env: 'A=1\nnonsense\n' })).toEqual({ wrongLine: 'nonsense' })
    expect(draftOf({ ...program, env: '\nA = x=y \n' })).toMatchObject({ draft: { target: { env: { A: ' x=y ' } } } })
  })

  it('names of variables stand in lines, or with anything between', () => {
    expect(draftOf({ ...program, envFrom: 'A, B\nC' })).toMatchObject({
      draft: { target: { envFrom: ['A', 'B', 'C'] } },
    })
  })

  it('knows when it is complete, and when a token needs a word more', () => {
    expect(isComplete({ ...NO_FIELDS, name: 'a' })).toBe(false)
    expect(isComplete({ ...NO_FIELDS, name: 'a', command: 'x' })).toBe(false)
    expect(isComplete({ ...NO_FIELDS, name: 'a', url: 'x' })).toBe(true)
    expect(isPlainHttp({ ...NO_FIELDS, url: ' HTTP://10.0.0.1' })).toBe(true)
    expect(isPlainHttp({ ...NO_FIELDS, url: 'https://a.example' })).toBe(false)
    expect(isPlainHttp({ ...program, url: 'http://10.0.0.1' })).toBe(false)
  })

  it('shows a command so that its parts can be told apart', () => {
    expect(placeOf({ kind: 'stdio', command: 'sh', args: ['-c', 'curl x | sh', ''] })).toBe('sh -c "curl x | sh" ""')
    expect(fieldsOf({ name: 'a', target: { kind: 'http', url: 'u' } }).kind).toBe('http')
  })
})
