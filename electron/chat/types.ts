import type {
  Approval,
  ApprovalAnswer,
  ChatMessage,
  Conversation,
  JsonValue,
  Language,
  ProfileTexts,
  Prompt,
  Suggestion,
  Unsubscribe,
} from '../contract/index.ts'

export interface ProviderConfig {
  readonly kind: 'offline' | 'openai-compatible'
  readonly baseUrl: string
  readonly model: string
  readonly key: string | null
}

export interface ChatDelta {
  readonly conversationId: string
  readonly messageId: string
  readonly part: number
  readonly length: number
  readonly text: string
}

export interface Turn {
  readonly text: string
  readonly calls: ReadonlyArray<{
    id: string
    arguments: JsonValue
    resultText: string
    isError: boolean
    durationMs: number
  }>
  readonly provider: ProviderConfig['kind']
  readonly model: string | null
}

export interface Chat {
  conversation(): Conversation
  newConversation(): Promise<Conversation>
  /** In the given language where an example is known in it, else in English. */
  suggestions(language?: Language): Promise<Suggestion[]>
  /** Answers when the message is accepted. @throws CompanionError `provider/none`. */
  send(text: string, provider: 'set' | 'offline'): Promise<{ messageId: string; finished: Promise<ChatMessage> }>
  /** Ends text, calls and motion. Resolves when the turn has ended. */
  stop(): Promise<void>
  /** A person's answer to a waiting call. @throws CompanionError `tools/denied` when the call waits no more. */
  approve(callId: string, answer: ApprovalAnswer): Promise<void>
  /** One turn outside any conversation, for the command line. */
  once(request: {
    text: string
    profile: string
    provider: ProviderConfig
    signal?: AbortSignal
    onText?: (text: string) => void
    /** Asked when a call needs a person's yes; absent: such calls are refused. */
    approve?: (call: { toolId: string; arguments: JsonValue; approval: Approval }) => Promise<ApprovalAnswer>
  }): Promise<Turn>
  /** The prompt that a model gets, part by part; with `texts` instead of those on disk. */
  prompt(profile: string, texts?: ProfileTexts): Promise<Prompt>
  /** Asks a model with one harmless test tool. @throws CompanionError `provider/*`. */
  test(
    provider: ProviderConfig,
    signal?: AbortSignal,
  ): Promise<{ latencyMs: number; text: string; calledTool: boolean }>
  onConversation(listener: (conversation: Conversation) => void): Unsubscribe
  onMessage(listener: (conversationId: string, message: ChatMessage) => void): Unsubscribe
  onDelta(listener: (delta: ChatDelta) => void): Unsubscribe
  dispose(): Promise<void>
}
