import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useDialogs } from '../stores/dialogs.ts'
import { useToasts } from '../stores/toasts.ts'

import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'

import type { Toast } from '../stores/toasts.ts'

/** How long something can be undone, in milliseconds; the clock stands while pointer or focus is on the toast. */
const TOAST_MS = 10_000

function ToastRow({ toast }: { toast: Toast }) {
  const { t } = useTranslation('common')
  const { dismiss, undo } = useToasts.getState()
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const held = hovered || focused

  useEffect(() => {
    if (held || toast.stays) return
    const timer = setTimeout(() => dismiss(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [held, dismiss, toast.id, toast.stays])

  return (
    <li
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="enter pointer-events-auto flex min-h-10 max-w-full items-center gap-3 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-overlay"
    >
      <span className="min-w-0 wrap-anywhere">{toast.text}</span>
      {toast.undo && (
        <Button size="s" variant="quiet" className="text-accent-ink" onClick={() => void undo(toast.id)}>
          {t('undo')}
        </Button>
      )}
      {toast.action && (
        <Button
          size="s"
          variant="quiet"
          className="text-accent-ink"
          onClick={() => {
            dismiss(toast.id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton size="s" label={t('dismiss')} onClick={() => dismiss(toast.id)}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}

/** Where toasts appear: at the foot of the sheet; at its head while a dialog asks, whose answers stand at the foot. Call `useToasts.getState().show({ text, undo })` to add one. */
export function ToastRegion() {
  const toasts = useToasts((state) => state.toasts)
  const dialog = useDialogs((state) => state.open > 0)
  return (
    <div role="status" className={cx('pointer-events-none absolute inset-x-4', dialog ? 'top-3' : 'bottom-6')}>
      <ul className="grid justify-items-center gap-2">
        {toasts.map((toast) => (
          <ToastRow key={toast.id} toast={toast} />
        ))}
      </ul>
    </div>
  )
}
