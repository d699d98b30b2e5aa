import { create } from 'zustand'

/** The dialog of the Profiles screen that is open; `name` is the profile that it is about. */
export type OpenDialog =
  | { readonly kind: 'new' | 'rename' | 'duplicate' | 'export' | 'details'; readonly name: string }
  | { readonly kind: 'import'; readonly source: 'folder' | 'zip' | 'hub' }

interface DialogState {
  dialog: OpenDialog | null
  show: (dialog: OpenDialog) => void
  close: () => void
}

export const useProfileDialog = create<DialogState>((set) => ({
  dialog: null,
  show: (dialog) => set({ dialog }),
  close: () => set({ dialog: null }),
}))
