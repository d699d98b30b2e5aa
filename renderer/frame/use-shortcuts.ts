import { useEffect } from 'react'

import { useDialogs } from '../stores/dialogs.ts'
import { useNavigation } from '../stores/navigation.ts'
import { useToasts } from '../stores/toasts.ts'

import { useEmergencyStop } from './emergency-stop.tsx'
import { shortcutFor } from './shortcut.ts'

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex]'

/** Moves the focus to the next of rail, sheet (or the dialog over it) and panel. */
function focusRegion(backwards: boolean): void {
  const behind = useDialogs.getState().open > 0
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) =>
      !region.closest('[inert]') && (!behind || region.dataset['region'] !== 'layer' || region.firstElementChild),
  )
  const used = behind ? regions : regions.filter((region) => region.dataset['region'] !== 'layer')
  const current = used.findIndex((region) => region.contains(document.activeElement))
  const next = used.at((current + (backwards ? -1 : 1) + used.length) % used.length)
  const target =
    next?.querySelector<HTMLElement>('[role="dialog"], [aria-current="page"]') ??
    next?.querySelector<HTMLElement>(FOCUSABLE)
  target?.focus()
}

/** Moves to the oldest question that waits, on the Chat screen. */
function focusApproval(): void {
  const find = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-approval] button')
  if (find() === null) useNavigation.getState().go('chat')
  // The screen is drawn first.
  setTimeout(() => find()?.focus(), 0)
}

function isEditing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))
}

/** The keys that work everywhere; the first listener of all, so that Emergency stop works in every field and dialog. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const action = shortcutFor(event, isEditing(event.target))
      if (!action) return
      if (action.kind === 'undo' && !useToasts.getState().toasts.some((toast) => toast.undo)) return
      if (action.kind === 'go' && useDialogs.getState().open > 0) return
      event.preventDefault()
      event.stopPropagation()
      switch (action.kind) {
        case 'emergency-stop':
          if (!event.repeat) void useEmergencyStop.getState().press()
          break
        case 'go':
          useNavigation.getState().go(action.screen)
          break
        case 'approval':
          focusApproval()
          break
        case 'next-region':
          focusRegion(action.backwards)
          break
        case 'undo':
          void useToasts.getState().undo()
          break
      }
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
