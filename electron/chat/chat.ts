import { randomUUID } from 'node:crypto'

import { CompanionError } from '../contract/index.ts'
import { failureOf } from '../failure.ts'

import { createApprovals } from './approvals.ts'
import { runTurn } from './loop.ts'
import { createMessageWriter } from './message-writer.ts'
import { createOfflineBrain } from './offline-brain.ts'
import { answerOnce } from './once.ts'
import { readPrompt, systemPrompt } from './prompt.ts'
import { openModel } from './provider.ts'
import { createReading } from './reading.ts'
import { suggestionsFor } from './suggestions.ts'
import { testModel } from './test-model.ts'

import type { ChatMessage, Conversation, Log } from '../contract/index.ts'
import type { Profiles } from '../profiles/index.ts'
import type { Robot } from '../robot/index.ts'
import type { Tools } from '../tools/index.ts'
import type { Pending } from './brain/plan.ts'
import type { AskForCall } from './calls.ts'
import type { TurnEnd } from './loop.ts'
import type { MessageWriter } from './message-writer.ts'
import type { ModelStep } from './provider.ts'
import type { Chat, ChatDelta, ProviderConfig } from './types.ts'
import type { ModelMessage } from 'ai'

export interface ChatDeps {
  readonly tools: Pick<Tools, 'list' | 'forModel' | 'find' | 'call' | 'motionsEnded' | 'countTokens' | 'unmentioned'>
  readonly profiles: Pick<Profiles, 'active' | 'effective' | 'onChange'>
  readonly robot: Pick<Robot, 'stopMotion' | 'moves'>
  /** The provider in force with its key, with the model of a profile that names one. */
  readonly provider: (profile?: string) => Promise<ProviderConfig>
  readonly fetch: typeof globalThis.fetch
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds of silence after which a model's stream counts as dropped. */
  readonly idleLimit?: number
}

const OFFLINE: ProviderConfig = { kind: 'offline', baseUrl: '', model: '', key: null }
const MAX_TITLE = 60

interface Running {
  readonly controller: AbortController
  readonly finished: Promise<ChatMessage>
}

/** One conversation at a time, in memory: sends messages to a model or to the offline brain and shows what happens. */
export function createChat(deps: ChatDeps): Chat {
  const { tools, profiles, robot, log } = deps
  const now = deps.now ?? Date.now
  const brain = createOfflineBrain({ tools, robot, log, now })
  const conversationListeners = new Set<(conversation: Conversation) => void>()
  const messageListeners = new Set<(conversationId: string, message: ChatMessage) => void>()
  const deltaListeners = new Set<(delta: ChatDelta) => void>()

  let conversation: Conversation = emptyConversation('default')
  let history: ModelMessage[] = []
  let reading = createReading()
  let denied = new Set<string>()
  let granted = new Set<string>()
  let pending: Pending | null = null
  let running: Running | null = null
  const approvals = createApprovals()
  const approve: AskForCall = (call, until) => approvals.ask(call, until)
  /** Sends are taken one after another. */
  let queue: Promise<unknown> = Promise.resolve()

  const setFrame = (change: Partial<Conversation>): void => {
    conversation = { ...snapshot(), ...change, version: conversation.version + 1 }
    for (const listener of conversationListeners) listener(conversation)
  }
  const setMessage = (conversationId: string, message: ChatMessage): void => {
    if (conversationId !== conversation.id) return
    const known = conversation.messages.some(({ id }) => id === message.id)
    const messages = known
      ? conversation.messages.map((one) => (one.id === message.id ? message : one))
      : [...conversation.messages, message]
    conversation = { ...conversation, messages, version: conversation.version + 1 }
    for (const listener of messageListeners) listener(conversationId, message)
  }
  /** The answer that is being written: deltas reach the conversation only through it. */
  let writer: MessageWriter | null = null
  const snapshot = (): Conversation => {
    if (!writer) return conversation
    writer.flush()
    const newest = writer.message()
    return { ...conversation, messages: conversation.messages.map((one) => (one.id === newest.id ? newest : one)) }
  }

  const followProfile = (active: string): void => {
    if (active !== conversation.profile) setFrame({ profile: active })
  }
  const unsubscribe = profiles.onChange(({ active }) => followProfile(active))
  profiles.active().then(followProfile, (error: unknown) => {
    log.warn('the active profile is not known yet', { code: failureOf(error).code })
  })

  const endRunning = async (): Promise<void> => {
    const turn = running
    if (!turn) return
    turn.controller.abort()
    await turn.finished
  }

  const answer = async (
    text: string,
    config: ProviderConfig,
    profile: string,
    into: MessageWriter,
    signal: AbortSignal,
  ): Promise<TurnEnd> => {
    reading.beginTurn(text)
    if (config.kind === 'offline') {
      const turn = { sentence: text, profile, screen: into, signal, pending, denied, granted, approve }
      pending = null
      const outcome = await brain.run(turn)
      pending = outcome.pending
      return outcome.end
    }
    pending = null
    const step: ModelStep = openModel(config, deps)
    const before = history.length
    history.push({ role: 'user', content: text })
    const end = await runTurn({
      step,
      tools,
      profile,
      history,
      screen: into,
      signal,
      log,
      now,
      reading,
      denied,
      granted,
      approve,
      system: async () => systemPrompt(await profiles.effective(profile)),
    })
    // A question that got no answer at all would stand beside the next one, which some models' templates refuse.
    if (end.state !== 'done' && history.length === before + 1) history.pop()
    return end
  }

  const run = async (
    text: string,
    config: ProviderConfig,
    profile: string,
    into: MessageWriter,
    signal: AbortSignal,
  ): Promise<ChatMessage> => {
    let message: ChatMessage
    try {
      const end = await answer(text, config, profile, into, signal)
      message = end.state === 'failed' ? into.finish('failed', failureOf(end.error)) : into.finish(end.state)
    } catch (error) {
      if (!(error instanceof CompanionError)) log.error('a turn of the conversation broke', { error: String(error) })
      message = signal.aborted ? into.finish('stopped') : into.finish('failed', failureOf(error))
    }
    running = null
    writer = null
    setFrame({ busy: false })
    return message
  }

  const begin = async (
    text: string,
    which: 'set' | 'offline',
  ): Promise<{ messageId: string; finished: Promise<ChatMessage> }> => {
    const profile = await profiles.active()
    const config = which === 'offline' ? OFFLINE : await deps.provider(profile)
    if (config.kind !== 'offline' && (config.baseUrl.trim() === '' || config.model.trim() === '')) {
      throw new CompanionError('provider/none')
    }
    // A new message ends the answer that is still coming.
    await endRunning()
    const { id } = conversation
    const asked: ChatMessage = {
      id: randomUUID(),
      role: 'user',
      parts: [{ type: 'text', text }],
      state: 'done',
      createdAt: now(),
    }
    const started: ChatMessage = {
      id: randomUUID(),
      role: 'assistant',
      parts: [],
      state: 'streaming',
      provider: config.kind,
      ...(config.kind === 'offline' ? {} : { model: config.model }),
      createdAt: now(),
    }
    setMessage(id, asked)
    setMessage(id, started)
    setFrame({ busy: true, profile, ...(conversation.title === '' ? { title: titleOf(text) } : {}) })
    const into = createMessageWriter(started, {
      message: (message) => setMessage(id, message),
      delta: (delta) => deltaListeners.forEach((listener) => listener({ conversationId: id, ...delta })),
    })
    writer = into
    const controller = new AbortController()
    const finished = run(text, config, profile, into, controller.signal)
    running = { controller, finished }
    return { messageId: started.id, finished }
  }

  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = queue.then(task)
    queue = result.catch(() => undefined)
    return result
  }

  return {
    conversation: snapshot,
    newConversation: () =>
      inTurn(async () => {
        await endRunning()
        conversation = emptyConversation(await profiles.active())
        history = []
        reading = createReading()
        denied = new Set()
        granted = new Set()
        pending = null
        setFrame({})
        return conversation
      }),
    async suggestions(language) {
      const list = await tools.list(await profiles.active())
      return suggestionsFor(list.tools, undefined, language)
    },
    send: (text, which) => inTurn(() => begin(text, which)),
    async stop() {
      running?.controller.abort()
      robot.stopMotion()
      await endRunning()
    },
    approve: async (callId, answer) => approvals.answer(callId, answer),
    prompt: (profile, texts) => readPrompt(deps, profile, texts),
    once: (request) => answerOnce(request, { ...deps, now, brain }),
    test: (provider, signal) => testModel(provider, { fetch: deps.fetch, log, now }, signal),
    onConversation: (listener) => subscribe(conversationListeners, listener),
    onMessage: (listener) => subscribe(messageListeners, listener),
    onDelta: (listener) => subscribe(deltaListeners, listener),
    async dispose() {
      unsubscribe()
      await endRunning()
      conversationListeners.clear()
      messageListeners.clear()
      deltaListeners.clear()
    },
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function emptyConversation(profile: string): Conversation {
  return { version: 1, id: randomUUID(), title: '', profile, busy: false, messages: [] }
}

function titleOf(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0]!.replace(/\s+/g, ' ')
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_TITLE / 2)).trimEnd()}…`
}
