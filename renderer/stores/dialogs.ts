import { create } from 'zustand'

interface DialogsState {
  /** How many dialogs are open; while it is not zero, rail and sheet are inert. */
  open: number
  opened: () => void
  closed: () => void
}

export const useDialogs = create<DialogsState>((set) => ({
  open: 0,
  opened: () => set(({ open }) => ({ open: open + 1 })),
  closed: () => set(({ open }) => ({ open: open - 1 })),
}))
