import i18next from 'i18next'
import { create } from 'zustand'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { useServers } from '../../../stores/servers.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { rememberProfiles } from '../profile-choice.ts'
import { listOf } from '../tell-done.ts'

import { draftOf, fieldsOf, NO_FIELDS } from './server-fields.ts'

import type {
  Failure,
  ServerDraft,
  ServerImport,
  ServerPreview,
  ServerResult,
} from '../../../../electron/contract/index.ts'
import type { ServerFields } from './server-fields.ts'

/** `form` → (`confirm`, for a program) → `looking` → `choosing` → `installing`. */
export type AddPhase = 'form' | 'confirm' | 'looking' | 'choosing' | 'installing'

export interface Adding {
  operationId: string
  phase: AddPhase
  fields: ServerFields
  /** As it came from an imported text or an installed server and the form could not show it: not edited. */
  fixed: ServerDraft | null
  /** An imported text held a token: it is stored with the server. */
  importedToken: boolean
  /** Values that an imported text held and that were left out. */
  leftOut: readonly string[]
  wrongLine: string | null
  preview: ServerPreview | null
  chosen: ReadonlySet<string>
  /** `null`: not chosen yet. */
  profiles: readonly string[] | null
  failure: Failure | null
}

interface Importing {
  text: string
  read: ServerImport | null
  failure: Failure | null
  /** Names of the drafts that were added. */
  added: readonly string[]
}

interface ServerState {
  adding: Adding | null
  importing: Importing | null
  open: (
    draft?: ServerDraft,
    more?: { confirm?: boolean; importedToken?: boolean; leftOut?: readonly string[]; fixed?: boolean },
  ) => void
  edit: (change: Partial<ServerFields>) => void
  useImportedToken: (on: boolean) => void
  /** From the form: a program is shown whole first, an address is asked at once. */
  next: () => Promise<void>
  look: () => Promise<void>
  back: () => void
  choose: (ids: readonly string[], on: boolean) => void
  enableIn: (profiles: readonly string[]) => void
  install: (profiles: readonly string[]) => Promise<void>
  cancel: () => void
  openImport: () => void
  setImportText: (text: string) => void
  readImport: () => Promise<void>
  closeImport: () => void
}

const usableIds = (preview: ServerPreview): string[] =>
  preview.tools.flatMap(({ id, status }) => (status === 'usable' && id !== null ? [id] : []))

/** The dialogs of servers; one server is added at a time. */
export const useServerDialogs = create<ServerState>((set, get) => {
  const patch = (operationId: string, change: Partial<Adding>): void => {
    const { adding } = get()
    if (adding?.operationId === operationId) set({ adding: { ...adding, ...change } })
  }
  const draftNow = ({ fields, fixed }: Adding): ServerDraft | null => {
    if (fixed !== null) return fixed
    const read = draftOf(fields)
    return 'draft' in read ? read.draft : null
  }
  return {
    adding: null,
    importing: null,
    open: (draft, more = {}) =>
      set({
        adding: {
          operationId: crypto.randomUUID(),
          phase: more.confirm === true && draft?.target.kind === 'stdio' ? 'confirm' : 'form',
          fields: draft === undefined ? NO_FIELDS : fieldsOf(draft),
          fixed: draft !== undefined && more.fixed === true ? draft : null,
          importedToken: more.importedToken ?? false,
          leftOut: more.leftOut ?? [],
          wrongLine: null,
          preview: null,
          chosen: new Set(),
          profiles: null,
          failure: null,
        },
      }),
    edit: (change) => {
      const { adding } = get()
      if (adding)
        set({ adding: { ...adding, fields: { ...adding.fields, ...change }, failure: null, wrongLine: null } })
    },
    useImportedToken: (importedToken) => {
      const { adding } = get()
      if (adding) set({ adding: { ...adding, importedToken } })
    },
    next: async () => {
      const { adding } = get()
      if (!adding) return
      const read = adding.fixed === null ? draftOf(adding.fields) : { draft: adding.fixed }
      if ('wrongLine' in read) return patch(adding.operationId, { wrongLine: read.wrongLine })
      if (read.draft.target.kind === 'stdio') patch(adding.operationId, { phase: 'confirm', failure: null })
      else await get().look()
    },
    look: async () => {
      const { adding } = get()
      const draft = adding && draftNow(adding)
      if (!adding || !draft) return
      const { operationId, fields, importedToken } = adding
      patch(operationId, { phase: 'looking', failure: null })
      const token = draft.target.kind === 'http' ? fields.token.trim() : ''
      const answer = await attempt('servers.preview', {
        operationId,
        draft,
        ...(token === '' ? {} : { token }),
        ...(token === '' && importedToken ? { importedToken } : {}),
      })
      if (answer.ok)
        patch(operationId, { phase: 'choosing', preview: answer.value, chosen: new Set(usableIds(answer.value)) })
      else patch(operationId, { phase: draft.target.kind === 'stdio' ? 'confirm' : 'form', failure: answer.error })
    },
    back: () => {
      const { adding } = get()
      if (!adding) return
      if (adding.phase !== 'confirm') void attempt('servers.cancel', { operationId: adding.operationId })
      set({ adding: { ...adding, operationId: crypto.randomUUID(), phase: 'form', preview: null, failure: null } })
    },
    choose: (ids, on) => {
      const { adding } = get()
      if (!adding) return
      const chosen = new Set(adding.chosen)
      for (const id of ids) {
        if (on) chosen.add(id)
        else chosen.delete(id)
      }
      set({ adding: { ...adding, chosen } })
    },
    enableIn: (profiles) => {
      const { adding } = get()
      if (adding) set({ adding: { ...adding, profiles } })
    },
    install: async (profiles) => {
      const { adding } = get()
      if (!adding?.preview) return
      const { operationId, preview } = adding
      patch(operationId, { phase: 'installing', failure: null })
      const toolIds = usableIds(preview).filter((id) => adding.chosen.has(id))
      const answer = await attempt('servers.install', { operationId, toolIds, profiles: [...profiles] })
      if (!answer.ok) return patch(operationId, { phase: 'choosing', failure: answer.error })
      rememberProfiles(profiles)
      const { importing } = get()
      set({
        adding: null,
        importing: importing && { ...importing, added: [...importing.added, adding.fields.name.trim()] },
      })
      await useServers.getState().load()
      tellAdded(answer.value)
    },
    cancel: () => {
      const { adding } = get()
      if (!adding || adding.phase === 'installing') return
      if (adding.phase !== 'form') void attempt('servers.cancel', { operationId: adding.operationId })
      set({ adding: null })
    },
    openImport: () => set({ importing: { text: '', read: null, failure: null, added: [] } }),
    setImportText: (text) => set({ importing: { text, read: null, failure: null, added: [] } }),
    readImport: async () => {
      const { importing } = get()
      if (!importing) return
      const { text } = importing
      const answer = await attempt('servers.readImport', { text })
      if (get().importing?.text !== text) return
      set({
        importing: answer.ok
          ? { ...importing, read: answer.value, failure: answer.value.failure ?? null }
          : { ...importing, read: null, failure: answer.error },
      })
    },
    closeImport: () => set({ importing: null }),
  }
})

/** Takes a change of the servers back; says so, or why it could not. */
async function takeBack(undoId: string): Promise<void> {
  const { show } = useToasts.getState()
  const answer = await attempt('servers.undo', { undoId })
  if (answer.ok) {
    useServers.getState().accept(answer.value)
    show({ text: i18next.t('done.undone', { ns: 'spaces' }) })
    return
  }
  const { message, hint } = failureText(i18next.t, answer.error)
  const why = [message, hint, `(${answer.error.code})`].filter(Boolean).join(' ')
  show({ text: i18next.t('done.undoFailed', { ns: 'spaces', message: why }) })
}

export function tellServerUndoable(text: string, undoId: string): void {
  useToasts.getState().show({ text, undo: () => takeBack(undoId), topic: 'servers' })
}

function tellAdded({ server, enabledIn, undoId }: ServerResult): void {
  const { name } = server
  const profiles = Object.keys(enabledIn).filter((profile) => (enabledIn[profile]?.length ?? 0) > 0)
  const count = new Set(Object.values(enabledIn).flat()).size
  tellServerUndoable(
    count > 0
      ? i18next.t('done.enabled', { ns: 'servers', name, count, profiles: listOf(profiles) })
      : i18next.t('done.added', { ns: 'servers', name }),
    undoId,
  )
}
