import { create } from 'zustand'

export interface Toast {
  id: number
  text: string
  /** Takes it back. Rejecting or failing inside is the caller's to show. */
  undo?: (() => Promise<void> | void) | undefined
  /** Something to do instead, in its own words; pressing it takes the toast away. */
  action?: { label: string; run: () => void } | undefined
  /** Stays until it is pressed or dismissed: a question, not a report. */
  stays?: boolean | undefined
  /** Takes the place of the one before on the same topic, e.g. because only the newest change can be taken back. */
  topic?: string | undefined
}

interface ToastsState {
  toasts: readonly Toast[]
  nextId: number
  /** Answers its ID. */
  show: (toast: Omit<Toast, 'id'>) => number
  dismiss: (id: number) => void
  /** Undoes one, or the newest that can be undone. Does nothing when there is none. */
  undo: (id?: number) => Promise<void>
}

const MOST = 3

/** The newest that fit: a report gives way before a question does. */
function newest(toasts: readonly Toast[]): readonly Toast[] {
  if (toasts.length <= MOST) return toasts
  const leaving = toasts.find((toast) => !toast.stays) ?? toasts[0]
  return toasts.filter((toast) => toast !== leaving)
}

export const useToasts = create<ToastsState>((set, get) => ({
  toasts: [],
  nextId: 1,
  show: (toast) => {
    const id = get().nextId
    set(({ toasts }) => {
      const others = toasts.filter(({ topic }) => topic === undefined || topic !== toast.topic)
      return { toasts: newest([...others, { ...toast, id }]), nextId: id + 1 }
    })
    return id
  },
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
  undo: async (id) => {
    const undoable = get().toasts.filter((toast) => toast.undo)
    const toast = id === undefined ? undoable.at(-1) : undoable.find((candidate) => candidate.id === id)
    if (!toast) return
    get().dismiss(toast.id)
    await toast.undo?.()
  },
}))
