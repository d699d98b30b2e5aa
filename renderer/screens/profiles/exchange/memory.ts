import { create } from 'zustand'

import type { ExportFormat } from '../../../../electron/contract/index.ts'

interface ExchangeMemory {
  /** What was exported as last. */
  format: ExportFormat
  setFormat: (format: ExportFormat) => void
  /** The repository that was looked at last. */
  repository: string
  setRepository: (repository: string) => void
}

/** Last choices, for as long as the app runs. */
export const useExchangeMemory = create<ExchangeMemory>((set) => ({
  format: 'folder',
  setFormat: (format) => set({ format }),
  repository: '',
  setRepository: (repository) => set({ repository }),
}))
