import { OctagonMinus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'

import { attempt } from '../app/bridge.ts'

interface StopState {
  /** What went wrong with the last stop; `null` when the motors confirmed. */
  problem: 'stopNotConfirmed' | 'stopFailed' | null
  press: () => Promise<void>
}

/** The Emergency stop, from the button and from the shortcut alike. */
export const useEmergencyStop = create<StopState>((set) => ({
  problem: null,
  press: async () => {
    const answer = await attempt('robot.emergencyStop', {})
    set({ problem: answer.ok ? (answer.value.confirmed ? null : 'stopNotConfirmed') : 'stopFailed' })
  },
}))

/** Switches the motors off at once. Never disabled, and never behind anything. */
export function EmergencyStop() {
  const { t } = useTranslation('shell')
  const press = useEmergencyStop((state) => state.press)
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+."
      onClick={() => void press()}
      className="flex min-h-(--size-stop) w-full shrink-0 items-center justify-center gap-2 rounded-card border-2 border-transparent bg-stop px-3 text-body font-strong text-on-stop transition-colors duration-instant hover:bg-stop-hover active:bg-stop-hover"
    >
      <OctagonMinus aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.8} />
      <span className="truncate">{t('stop')}</span>
      <kbd
        aria-hidden="true"
        className="ml-1 rounded-tick border border-white/45 px-1.25 font-sans text-micro leading-4 font-medium narrow:hidden"
      >
        Ctrl .
      </kbd>
    </button>
  )
}
