import { create } from 'zustand'

/** A dialog about a file of the user's own, or about a new one. */
export type LocalDialog =
  | { readonly kind: 'allow'; readonly id: string; readonly path: string }
  | { readonly kind: 'log'; readonly id: string; readonly path: string }
  | { readonly kind: 'new' }

interface LocalDialogState {
  dialog: LocalDialog | null
  open: (dialog: LocalDialog) => void
  close: () => void
}

export const useLocalDialog = create<LocalDialogState>((set) => ({
  dialog: null,
  open: (dialog) => set({ dialog }),
  close: () => set({ dialog: null }),
}))
