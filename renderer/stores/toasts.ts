import { create } from 'zustand'

export interface Toast {
  id: number
  text: string
  /** Takes it back. Rejecting or failing inside is the caller's to show. */
  undo?: (() => Promise<void> | void) | undefined
}

interface ToastsState {
  toasts: readonly Toast[]
  nextId: number
  show: (toast: Omit<Toast, 'id'>) => void
  dismiss: (id: number) => void
  /** Undoes one, or the newest that can be undone. Does nothing when there is none. */
  undo: (id?: number) => Promise<void>
}

export const useToasts = create<ToastsState>((set, get) => ({
  toasts: [],
  nextId: 1,
  show: (toast) =>
    set(({ toasts, nextId }) => ({ toasts: [...toasts.slice(-2), { ...toast, id: nextId }], nextId: nextId + 1 })),
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
  undo: async (id) => {
    const undoable = get().toasts.filter((toast) => toast.undo)
    const toast = id === undefined ? undoable.at(-1) : undoable.find((candidate) => candidate.id === id)
    if (!toast) return
    get().dismiss(toast.id)
    await toast.undo?.()
  },
}))
