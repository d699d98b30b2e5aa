import i18next from 'i18next'
import { create } from 'zustand'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { useNavigation } from '../../stores/navigation.ts'
import { useInstalls } from '../../stores/spaces.ts'
import { useToasts } from '../../stores/toasts.ts'

import { chosenAtFirst, sameSlug, slugOf, usableIds } from './preview-facts.ts'
import { rememberProfiles } from './profile-choice.ts'
import { tellDone } from './tell-done.ts'

import type { Failure, SpaceCard, SpacePreview } from '../../../electron/contract/index.ts'

export type InstallPhase = 'looking' | 'choosing' | 'installing' | 'failed'

export interface InstallOrigin {
  /** The catalogue's card, when it was started from one. */
  readonly card?: SpaceCard | undefined
  /** A link from outside asked to see it. */
  readonly byLink?: boolean | undefined
  /** The entry of the manifest that an installation settles. */
  readonly replaces?: string | undefined
}

export interface Installation extends InstallOrigin {
  operationId: string
  /** What was typed or pressed. */
  ref: string
  phase: InstallPhase
  preview: SpacePreview | null
  /** IDs to switch on. */
  chosen: ReadonlySet<string>
  /** Profiles to switch them on in. `undefined`: not chosen yet. */
  profiles: readonly string[] | undefined
  failure: Failure | null
}

interface InstallState {
  /** The text of the field "Space name or link". */
  typed: string
  type: (text: string) => void
  /** The one in the dialog. */
  current: Installation | null
  /** Those that go on, or wait for an answer, without their dialog. */
  background: readonly Installation[]
  /** What was typed is not the name of a Space: shown beside the field, without a dialog. */
  refused: Failure | null
  /** Looks at a Space: everything up to the list of its tools. One that is looked at already is shown again. */
  start: (ref: string, card?: SpaceCard, origin?: InstallOrigin) => Promise<void>
  /** After a failure: back to the tools when they are known and can still be installed, else from the beginning. */
  again: () => Promise<void>
  choose: (ids: readonly string[], on: boolean) => void
  enableIn: (profiles: readonly string[]) => void
  /** Closes the dialog; what is under way goes on, what was found waits. */
  toBackground: () => void
  /** Shows one of the background in the dialog. */
  open: (operationId: string) => void
  /** Writes, and tells what was written with a way back. A failure is in the installation. */
  install: (profiles: readonly string[]) => Promise<void>
  /** Gives up, or closes what has failed. Nothing is written. Without an ID the one in the dialog. */
  cancel: (operationId?: string) => void
}

/** Says what happened to an installation that is not on screen; it never goes further by itself. */
function tellInBackground(installation: Installation, show: () => void): void {
  const slug = slugOf(installation)
  const { failure } = installation
  const text = failure
    ? i18next.t('background.failed', { ns: 'keep', slug, message: failureText(i18next.t, failure).message })
    : i18next.t('background.ready', { ns: 'keep', slug })
  // The Spaces screen and the rail go on showing it.
  useToasts.getState().show({ text, action: { label: i18next.t('background.show', { ns: 'keep' }), run: show } })
}

/** The installations that are looked at, one of them in the dialog; they go on while another screen is shown. */
export const useInstall = create<InstallState>((set, get) => {
  const put = (current: Installation | null, background: readonly Installation[]): void => {
    set({ current, background })
    useInstalls
      .getState()
      .setBackground(background.map(({ operationId, phase }) => ({ operationId, waits: phase !== 'looking' })))
  }
  const find = (operationId: string): Installation | undefined =>
    [get().current, ...get().background].find((one) => one?.operationId === operationId) ?? undefined

  const patch = (operationId: string, change: Partial<Installation>): void => {
    const changed = (one: Installation): Installation => (one.operationId === operationId ? { ...one, ...change } : one)
    const { current, background } = get()
    put(current && changed(current), background.map(changed))
  }
  const drop = (operationId: string): void => {
    const { current, background } = get()
    useInstalls.getState().forget(operationId)
    put(
      current?.operationId === operationId ? null : current,
      background.filter((one) => one.operationId !== operationId),
    )
  }
  /** Makes room for another one in the dialog. */
  const stepAside = (): void => {
    const { current, background } = get()
    if (!current) return
    if (current.phase === 'failed') drop(current.operationId)
    else put(null, [...background, current])
  }
  const show = (operationId: string): void => {
    useNavigation.getState().go('spaces')
    get().open(operationId)
  }
  const told = (operationId: string): void => {
    const installation = get().background.find((one) => one.operationId === operationId)
    if (installation) tellInBackground(installation, () => show(operationId))
  }

  const look = async (ref: string, origin: InstallOrigin): Promise<void> => {
    const operationId = crypto.randomUUID()
    stepAside()
    set({ refused: null })
    const blank = { phase: 'looking', preview: null, chosen: new Set<string>(), profiles: undefined } as const
    put({ ...origin, ...blank, operationId, ref, failure: null }, get().background)
    const { replaces } = origin
    const answer = await attempt('spaces.preview', {
      operationId,
      ref,
      ...(replaces === undefined ? {} : { replaces }),
    })
    if (!find(operationId)) return
    if (answer.ok) {
      patch(operationId, { phase: 'choosing', preview: answer.value, chosen: chosenAtFirst(answer.value) })
      told(operationId)
    } else if (answer.error.code === 'space/bad-name' && replaces === undefined) {
      drop(operationId)
      set({ refused: answer.error })
    } else {
      patch(operationId, { phase: 'failed', failure: answer.error })
      told(operationId)
    }
  }

  return {
    typed: '',
    type: (typed) => set({ typed, refused: null }),
    current: null,
    background: [],
    refused: null,
    start: async (ref, card, origin = {}) => {
      const { current, background, open } = get()
      const held = [...background, ...(current ? [current] : [])].find(
        (one) => sameSlug(slugOf(one), ref) && one.phase !== 'failed' && one.replaces === origin.replaces,
      )
      if (held) open(held.operationId)
      else await look(ref, { card, ...origin })
    },
    again: async () => {
      const { current } = get()
      if (!current) return
      const { operationId, ref, preview, failure } = current
      if (preview && failure?.code !== 'app/cancelled') {
        patch(operationId, { phase: 'choosing', failure: null })
        return
      }
      const { card, byLink, replaces } = current
      drop(operationId)
      await look(ref, { card, byLink, replaces })
    },
    choose: (ids, on) => {
      const { current } = get()
      if (!current) return
      const chosen = new Set(current.chosen)
      for (const id of ids) {
        if (on) chosen.add(id)
        else chosen.delete(id)
      }
      patch(current.operationId, { chosen })
    },
    enableIn: (profiles) => {
      const { current } = get()
      if (current) patch(current.operationId, { profiles })
    },
    toBackground: stepAside,
    open: (operationId) => {
      if (get().current?.operationId === operationId) return
      const installation = find(operationId)
      if (!installation) return
      stepAside()
      const { background } = get()
      put(
        installation,
        background.filter((one) => one.operationId !== operationId),
      )
    },
    install: async (profiles) => {
      const { current } = get()
      if (!current?.preview) return
      const { operationId, preview, ref } = current
      patch(operationId, { phase: 'installing', failure: null })
      const toolIds = usableIds(preview).filter((id) => current.chosen.has(id))
      const answer = await attempt('spaces.install', { operationId, toolIds, profiles: [...profiles] })
      if (answer.ok) {
        drop(operationId)
        if (get().typed.trim() === ref) set({ typed: '' })
        rememberProfiles(profiles)
        tellDone(answer.value)
      } else {
        patch(operationId, { phase: 'failed', failure: answer.error })
        told(operationId)
      }
    },
    cancel: (operationId = get().current?.operationId ?? '') => {
      const installation = find(operationId)
      if (!installation || installation.phase === 'installing') return
      void attempt('spaces.cancel', { operationId })
      drop(operationId)
    },
  }
})
