import { z } from 'zod'

import { failureSchema } from './errors.ts'
import { jsonValueSchema, toolImageSchema, toolSourceSchema } from './tools.ts'

export const toolCallStateSchema = z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'refused'])
export type ToolCallState = z.infer<typeof toolCallStateSchema>

export const toolCallSchema = z.object({
  type: z.literal('tool-call'),
  callId: z.string(),
  toolId: z.string(),
  source: toolSourceSchema.optional(),
  origin: z.string().optional(),
  /** Calls of one model turn share it; two or more are shown as "at the same time". */
  turn: z.number().int(),
  arguments: jsonValueSchema,
  state: toolCallStateSchema,
  /** Milliseconds since 1970. */
  startedAt: z.number().optional(),
  durationMs: z.number().optional(),
  progress: z.object({ fraction: z.number().optional(), message: z.string().optional() }).optional(),
  resultText: z.string().optional(),
  images: z.array(toolImageSchema),
  failure: failureSchema.optional(),
})
export type ToolCall = z.infer<typeof toolCallSchema>

export const textPartSchema = z.object({ type: z.literal('text'), text: z.string() })
export const messagePartSchema = z.discriminatedUnion('type', [textPartSchema, toolCallSchema])
export type MessagePart = z.infer<typeof messagePartSchema>

export const chatMessageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  parts: z.array(messagePartSchema),
  state: z.enum(['streaming', 'done', 'stopped', 'failed']),
  failure: failureSchema.optional(),
  provider: z.enum(['offline', 'openai-compatible']).optional(),
  model: z.string().optional(),
  createdAt: z.number(),
})
export type ChatMessage = z.infer<typeof chatMessageSchema>

export const conversationSchema = z.object({
  version: z.number().int(),
  id: z.string(),
  title: z.string(),
  profile: z.string(),
  busy: z.boolean(),
  messages: z.array(chatMessageSchema),
})
export type Conversation = z.infer<typeof conversationSchema>

/** A sentence that works with the tools enabled now, for an empty chat. */
export const suggestionSchema = z.object({ text: z.string(), toolId: z.string() })
export type Suggestion = z.infer<typeof suggestionSchema>
