import { INSTALL_STEPS } from '../../../electron/contract/constants.ts'

import type {
  InstallProgress,
  InstallStepState,
  InstalledSpace,
  PreviewTool,
  SpaceCard,
  SpacePreview,
  ToolWarning,
} from '../../../electron/contract/index.ts'

/** Names of the parameters of a tool, in the order of its schema; a schema without properties has none. */
export function parameterNames(schema: PreviewTool['parameters']): string[] {
  const properties = schema['properties']
  if (properties === null || typeof properties !== 'object' || Array.isArray(properties)) return []
  return Object.keys(properties)
}

/** IDs of the tools that can be switched on. */
export function usableIds(preview: SpacePreview): string[] {
  return preview.tools.flatMap((tool) => (tool.status === 'usable' && tool.id !== null ? [tool.id] : []))
}

const HELD_BACK: readonly ToolWarning[] = ['gives-orders', 'names-other-tools', 'invisible-characters']

/** Whether a tool stays off until a person has read its words and ticks it. */
export function isHeldBack(tool: Pick<PreviewTool, 'warnings'>): boolean {
  return tool.warnings.some((warning) => HELD_BACK.includes(warning))
}

/** What is ticked before anybody has ticked: every usable tool whose words give no reason to read them first. */
export function chosenAtFirst(preview: SpacePreview): ReadonlySet<string> {
  const held = new Set(preview.tools.filter(isHeldBack).map(({ id }) => id))
  return new Set(usableIds(preview).filter((id) => !held.has(id)))
}

/** The best name known for what an installation is about. */
export function slugOf(installation: {
  readonly ref: string
  readonly card?: SpaceCard | undefined
  readonly preview: SpacePreview | null
}): string {
  return installation.preview?.slug ?? installation.card?.slug ?? installation.ref
}

/** The part of an ID that is the tool's own name, for people; the remote name where there is no ID. */
export function toolName(tool: { id: string | null; remoteName: string }): string {
  if (tool.id === null) return tool.remoteName
  const split = tool.id.indexOf('__')
  return split > 0 ? tool.id.slice(split + 2) : tool.id
}

/** Host of an address, for people; the address itself when it is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

const PENDING: readonly InstallStepState[] = INSTALL_STEPS.map((step) => ({ step, state: 'pending' as const }))

/**
 * The five steps as they are shown. After a failure exactly one is marked: the one that says so itself, else the one
 * that was under way, else the first that was not done.
 */
export function shownSteps(progress: InstallProgress | undefined, failed: boolean): InstallStepState[] {
  const known = progress?.steps ?? []
  const steps = PENDING.map((pending) => known.find((step) => step.step === pending.step) ?? pending)
  if (!failed || steps.some((step) => step.state === 'failed')) return steps
  const running = steps.findIndex((step) => step.state === 'running')
  const at = running >= 0 ? running : steps.findIndex((step) => step.state !== 'done')
  return steps.map((step, i) => (i === at ? { ...step, state: 'failed' as const } : step))
}

/** An installed Space as a card, for the time when the catalogue cannot be read. */
export function cardOfInstalled(space: InstalledSpace): SpaceCard {
  const [author = '', name = space.slug] = space.slug.split('/')
  return {
    slug: space.slug,
    title: name,
    author,
    likes: 0,
    tags: [],
    description: space.tools.map((tool) => tool.description).find((text) => text !== '') ?? '',
    official: space.official,
    private: space.private,
    installed: true,
  }
}

/** The same Space, whatever the case of the letters: the Hub takes them as one. */
export function sameSlug(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
