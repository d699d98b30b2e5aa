import { z } from 'zod'

import { failureSchema } from './errors.ts'
import { jsonValueSchema, textWarningSchema, toolFileSchema, toolImageSchema, toolSourceSchema } from './tools.ts'

export const toolCallStateSchema = z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'refused'])
export type ToolCallState = z.infer<typeof toolCallStateSchema>

/**
 * Why a call waits for a person: its tool was never allowed (`first-use`), it moves the robot after a stranger's answer was
 * read (`tainted`), it runs a program here (`runs-code`), it writes or sends something (`writes`), it sees or hears
 * (`senses`: a yes holds for the conversation), or the profile wants to be asked each time (`profile`).
 */
export const approvalReasonSchema = z.enum(['first-use', 'tainted', 'runs-code', 'writes', 'senses', 'profile'])
export type ApprovalReason = z.infer<typeof approvalReasonSchema>

export const approvalSchema = z.object({
  reason: approvalReasonSchema,
  /** 0 … 5, see `RISK_CLASSES`. */
  riskClass: z.number().int().min(0).max(5),
  /** Where the arguments go: a slug, a server's name, the path of a file; absent for the robot's own tools. */
  goesTo: z.string().optional(),
  /** Which of several tools of a file. */
  member: z.string().optional(),
  /** Whose answer made the call suspicious, for `tainted`. */
  afterToolId: z.string().optional(),
  /** "Always allow" may be offered. */
  canAlways: z.boolean(),
})
export type Approval = z.infer<typeof approvalSchema>

export const approvalAnswerSchema = z.enum(['once', 'always', 'deny'])
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>

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
  files: z.array(toolFileSchema).optional(),
  warnings: z.array(textWarningSchema).optional(),
  /** Present while the call waits for a person's answer, which only a click or a key on its button gives. */
  approval: approvalSchema.optional(),
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
