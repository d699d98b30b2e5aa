import { describe, expect, it } from 'vitest'

import { createGate } from './gate.ts'
import { buildRegistry } from './registry.ts'

import type { Approval, ApprovalAnswer } from '../contract/index.ts'
import type { AuditEntry } from '../storage/index.ts'
import type { View } from './library.ts'
import type { CallRequest } from './types.ts'

const registry = buildRegistry(
  {
    body: { intents: ['happy'], dances: [] },
    spaceTools: [],
    spaces: { version: 1, manifest: '', readOnly: false, spaces: [], problems: [] },
    serverTools: [],
    servers: { version: 1, path: '', readOnly: false, servers: [], problems: [] },
    files: [],
  },
  (tools) => new Map(tools.map(({ id }) => [id, id])),
)

/** As if the robot had a camera and followed faces. */
const view = (permissions: View['permissions'] = {}): View => {
  const tools = registry.tools.map(({ problem: _, ...tool }) => tool)
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  const byWireName = new Map(tools.map((tool) => [tool.id, { tool }]))
  const listed = ['camera', 'head_tracking', 'dance']
  return {
    registry: { ...registry, tools, byId, byWireName },
    listed,
    enabled: new Set(listed),
    autoloaded: new Set(),
    permissions,
    refused: new Set(Object.keys(permissions).filter((id) => permissions[id] === 'refuse')),
  }
}

function gate(permissions: View['permissions'] = {}) {
  const asked: Approval[] = []
  const recorded: AuditEntry[] = []
  const nothing = async (): Promise<void> => undefined
  const silent = (): void => undefined
  const made = createGate({
    library: { view: async () => view(permissions) },
    spaces: { consent: nothing },
    servers: { consent: nothing },
    storage: { audit: { append: (entry) => void recorded.push(entry) } },
    log: { debug: silent, info: silent, warn: silent, error: silent },
  })
  const call = (name: string, more: Partial<CallRequest> & { answer?: ApprovalAnswer } = {}) =>
    made.admit({
      name,
      arguments: name === 'camera' ? { question: 'Who is there?' } : name === 'dance' ? {} : { enabled: true },
      profile: 'default',
      approve: async (approval) => {
        asked.push(approval)
        return more.answer ?? 'once'
      },
      ...more,
    })
  return { call, asked, recorded }
}

describe('tools that see or hear', () => {
  it('ask once in a conversation, each of them, and again in the next', async () => {
    const { call, asked, recorded } = gate()
    const granted = new Set<string>()
    await call('camera', { granted })
    await call('camera', { granted })
    await call('head_tracking', { granted })
    expect(asked).toEqual(Array(2).fill({ reason: 'senses', riskClass: 3, canAlways: false }))
    expect([...granted]).toEqual(['camera', 'head_tracking'])
    await call('camera', { granted: new Set() })
    expect(asked).toHaveLength(3)
    expect(recorded).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'decision', toolId: 'camera', reason: 'senses', answer: 'once' }),
      ]),
    )
  })

  it('ask each time where nobody keeps the answer, and keep no no', async () => {
    const { call, asked } = gate()
    await call('camera')
    await call('camera')
    expect(asked).toHaveLength(2)
    const granted = new Set<string>()
    await expect(call('camera', { granted, answer: 'deny' })).rejects.toMatchObject({ code: 'tools/denied' })
    expect([...granted]).toEqual([])
  })

  it('ask each time where the profile wants it', async () => {
    const { call, asked } = gate({ camera: 'ask' })
    const granted = new Set<string>()
    await call('camera', { granted })
    await call('camera', { granted })
    expect(asked.map(({ reason }) => reason)).toEqual(['profile', 'profile'])
    expect([...granted]).toEqual([])
  })

  it('a yes to one does not outlive a stranger’s word', async () => {
    const { call, asked } = gate()
    const granted = new Set<string>()
    await call('camera', { granted })
    const taint = { afterToolId: 'evil__search', suspicious: true, userText: 'What is the weather?' }
    await call('camera', { granted, taint })
    expect(asked.map(({ reason }) => reason)).toEqual(['senses', 'tainted'])
  })
})

describe('a refusal of the profile', () => {
  it('is not asked about', async () => {
    const { call, asked } = gate({ dance: 'refuse' })
    await expect(call('dance')).rejects.toMatchObject({ code: 'tools/denied', details: { id: 'dance' } })
    expect(asked).toEqual([])
  })
})
