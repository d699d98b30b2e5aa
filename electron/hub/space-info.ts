import { z } from 'zod'

import type { SpaceInfo } from './types.ts'

/**
 * Repository ids as the Hub accepts them: letters, digits, `_`, `.`, `-`, at most 96 of them; no `--` or `..`, not
 * beginning or ending with `-` or `.`, not ending with `.git` (`validate_repo_id` of huggingface_hub).
 */
export function isRepositoryId(text: string): boolean {
  const parts = text.split('/')
  return (
    parts.length === 2 &&
    parts.every((part) => /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?$/.test(part)) &&
    !/--|\.\./.test(text) &&
    !text.endsWith('.git')
  )
}

/** C0, DEL, C1, and the marks that turn the direction of writing; joiners stay, emoji are made with them. */

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

function plain(text: string, max: number): string {
  const clean = text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()
  return clean.length > max ? `${clean.slice(0, max - 1)}…` : clean
}

const text = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)

/** Everything but the id may be missing or of another kind: the Hub's answers differ by route and grow. */
const answerSchema = z.object({
  id: z.string(),
  author: text,
  title: text,
  emoji: text,
  likes: z.number().optional().catch(undefined),
  sdk: text,
  private: flag,
  disabled: flag,
  gated: z.union([z.boolean(), z.string()]).optional().catch(undefined),
  tags: z.array(z.unknown()).optional().catch(undefined),
  subdomain: text,
  host: text,
  shortDescription: text,
  ai_short_description: text,
  runtime: z
    .object({ stage: text, hardware: z.object({ current: text, requested: text }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  cardData: z.object({ title: text, emoji: text, short_description: text }).optional().catch(undefined),
})

/** @returns `null` for what is no Space, or has an id that is none. */
export function toSpaceInfo(answer: unknown): SpaceInfo | null {
  const parsed = answerSchema.safeParse(answer)
  if (!parsed.success || !isRepositoryId(parsed.data.id)) return null
  const { id, cardData, runtime, ...data } = parsed.data
  const [owner = '', name = ''] = id.split('/')
  const emoji = plain(data.emoji ?? cardData?.emoji ?? '', 16)
  const stage = plain(runtime?.stage ?? '', 40)
  const hardware = plain(runtime?.hardware?.current ?? runtime?.hardware?.requested ?? '', 40)
  const tags = (data.tags ?? []).filter((tag) => typeof tag === 'string').slice(0, 60)
  return {
    slug: id,
    title: plain(data.title ?? cardData?.title ?? '', 100) || name,
    author: owner,
    ...(emoji === '' ? {} : { emoji }),
    likes: Math.max(0, Math.trunc(data.likes ?? 0)),
    sdk: plain(data.sdk ?? '', 40).toLowerCase(),
    private: data.private ?? false,
    disabled: data.disabled ?? false,
    gated: data.gated !== undefined && data.gated !== false,
    tags: tags.map((tag) => plain(tag, 80)),
    ...(stage === '' ? {} : { stage }),
    ...(hardware === '' ? {} : { hardware }),
    description: plain(data.shortDescription ?? cardData?.short_description ?? data.ai_short_description ?? '', 300),
    ...(data.subdomain === undefined ? {} : { subdomain: plain(data.subdomain, 200) }),
    ...(data.host === undefined ? {} : { host: plain(data.host, 300) }),
  }
}

const stageSchema = z.object({ stage: text })

/** The stage of an answer of `/runtime`, the Hub's own word. */
export function toStage(answer: unknown): string | undefined {
  const parsed = stageSchema.safeParse(answer)
  const stage = parsed.success ? plain(parsed.data.stage ?? '', 40) : ''
  return stage === '' ? undefined : stage
}

const hostSchema = z.object({ host: text, subdomain: text })

export function toHost(answer: unknown): { host?: string; subdomain?: string } {
  const { host, subdomain } = hostSchema.safeParse(answer).data ?? {}
  return {
    ...(host === undefined ? {} : { host: plain(host, 300) }),
    ...(subdomain === undefined ? {} : { subdomain: plain(subdomain, 200) }),
  }
}
