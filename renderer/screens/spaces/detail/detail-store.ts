import { create } from 'zustand'

import { attempt } from '../../../app/bridge.ts'
import { useNavigation } from '../../../stores/navigation.ts'
import { useInstalls } from '../../../stores/spaces.ts'
import { sameSlug } from '../preview-facts.ts'

import { useTries } from './try-store.ts'

import type { Failure, SpaceCard, SpaceDetail, SpacePreview } from '../../../../electron/contract/index.ts'

/** A connection to a Space that is not installed, made to see its tools. */
export interface Look {
  readonly operationId: string
  readonly preview: SpacePreview | null
  /** Milliseconds since 1970 of the connection. */
  readonly since: number
  readonly failure: Failure | null
}

export type DetailTab = 'readme' | 'tools'

interface DetailState {
  /** The Space that is looked at instead of the list; `null`: the list. */
  slug: string | null
  /** What the list showed of it, until its own answer is there. */
  card: SpaceCard | undefined
  detail: SpaceDetail | null
  failure: Failure | null
  reading: boolean
  look: Look | null
  /** The tool whose form is open: place in the list and name. */
  openTool: string | null
  /** Where there is room for one column only. */
  tab: DetailTab
  show: (slug: string, card?: SpaceCard) => void
  /** Reads it again; what is shown stays until then. */
  load: () => Promise<void>
  /** Back to the list. Ends what goes on here. */
  close: () => void
  /** Asks the Space which tools it has. */
  connect: () => Promise<void>
  disconnect: () => void
  setTab: (tab: DetailTab) => void
  setOpenTool: (key: string | null) => void
}

const NOTHING = {
  slug: null,
  card: undefined,
  detail: null,
  failure: null,
  reading: false,
  look: null,
  openTool: null,
} as const

/** The Space that is looked at. Kept while another screen is shown. */
export const useDetail = create<DetailState>((set, get) => {
  const isLook = (operationId: string): boolean => get().look?.operationId === operationId

  return {
    ...NOTHING,
    tab: 'tools',
    show: (slug, card) => {
      const { slug: shown } = get()
      if (shown === slug) return
      get().disconnect()
      set({ ...NOTHING, slug, card, tab: 'tools' })
      void get().load()
    },
    load: async () => {
      const { slug } = get()
      if (slug === null) return
      set({ reading: true, failure: null })
      const answer = await attempt('spaces.detail', { slug })
      if (get().slug !== slug) return
      if (answer.ok) set({ reading: false, detail: answer.value })
      else set({ reading: false, failure: answer.error })
    },
    close: () => {
      get().disconnect()
      useTries.getState().stopAll()
      set({ ...NOTHING })
    },
    connect: async () => {
      const { slug } = get()
      if (slug === null) return
      get().disconnect()
      const operationId = crypto.randomUUID()
      set({ look: { operationId, preview: null, since: Date.now(), failure: null } })
      const answer = await attempt('spaces.preview', { operationId, ref: slug })
      useInstalls.getState().forget(operationId)
      if (!isLook(operationId)) return
      set({
        look: {
          operationId,
          preview: answer.ok ? answer.value : null,
          since: Date.now(),
          failure: answer.ok ? null : answer.error,
        },
      })
    },
    disconnect: () => {
      const { look } = get()
      if (look === null) return
      set({ look: null })
      if (look.failure === null) void attempt('spaces.cancel', { operationId: look.operationId })
    },
    setTab: (tab) => set({ tab }),
    setOpenTool: (openTool) => set({ openTool }),
  }
})

/** Shows a Space on the Spaces screen, from wherever one is. Installs nothing. */
export function openSpace(slug: string, card?: SpaceCard): void {
  useDetail.getState().show(slug, card)
  useNavigation.getState().go('spaces')
}

/** Takes up what changed in the list of installed Spaces: this one may be among it. */
export function followInstalled(slugs: readonly string[]): void {
  const { slug, detail, look, load, disconnect } = useDetail.getState()
  if (slug === null || detail === null) return
  const installed = slugs.some((one) => sameSlug(one, slug))
  if (installed === detail.card.installed) return
  if (installed && look !== null) disconnect()
  void load()
}
