import { create } from 'zustand'

interface DraftState {
  text: string
  setText: (text: string) => void
}

/** What stands in the composer; other screens come and go without losing it. */
export const useDraft = create<DraftState>((set) => ({ text: '', setText: (text) => set({ text }) }))
