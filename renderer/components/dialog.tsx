import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useDialogs } from '../stores/dialogs.ts'

import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { useSheetLayer } from './layer.tsx'

import type { ReactNode } from 'react'

export interface DialogProps {
  open: boolean
  onClose: () => void
  /** The accessible name; shown as the heading unless `head` is given. */
  title: string
  /** In the place of the plain heading. */
  head?: ReactNode
  /** One sentence below the heading. */
  description?: ReactNode
  /** Buttons, the last one is the answer; `footLead` stands at the left. */
  foot?: ReactNode
  footLead?: ReactNode
  width?: 's' | 'm' | 'l' | undefined
  /** Escape and the cross do nothing while this is true. */
  locked?: boolean | undefined
  children: ReactNode
}

/** A question over rail and sheet; the robot panel beside it stays alive. Escape closes. */
export function Dialog(props: DialogProps) {
  const layer = useSheetLayer()
  return (
    <Radix.Root
      open={props.open}
      modal={false}
      onOpenChange={(open) => {
        if (!open && !props.locked) props.onClose()
      }}
    >
      <Radix.Portal container={layer}>
        <DialogFrame {...props} />
      </Radix.Portal>
    </Radix.Root>
  )
}

const WIDTHS = { s: 'w-[26rem]', m: 'w-[36rem]', l: 'w-[44rem]' } as const

function DialogFrame({ title, head, description, foot, footLead, width = 'm', locked, children }: DialogProps) {
  const { t } = useTranslation('common')
  const content = useRef<HTMLDivElement>(null)
  // Read before the dialog takes the focus; given back when rail and sheet are no longer inert.
  const [opener] = useState(() => document.activeElement)
  const { opened, closed } = useDialogs.getState()
  useEffect(() => {
    opened()
    return closed
  }, [opened, closed])

  return (
    <div className="pointer-events-auto absolute inset-0 z-20 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-scrim p-4">
      <Radix.Content
        ref={content}
        {...(description ? {} : { 'aria-describedby': undefined })}
        tabIndex={-1}
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          const first = content.current?.querySelector<HTMLElement>('[data-autofocus]')
          ;(first ?? content.current)?.focus()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
        }}
        onInteractOutside={(event) => event.preventDefault()}
        className={cx(
          'enter flex max-h-full min-h-0 max-w-full flex-col overflow-hidden rounded-sheet border border-line bg-raised shadow-overlay outline-none',
          WIDTHS[width],
        )}
      >
        <div className="flex items-start gap-3 pt-5 pr-5 pb-4 pl-6">
          <div className="min-w-0 flex-1">
            <Radix.Title
              className={cx('text-title leading-6 font-strong tracking-title wrap-anywhere', head ? 'sr-only' : null)}
            >
              {title}
            </Radix.Title>
            {head}
            {description && (
              <Radix.Description className="mt-1 text-body text-pretty text-ink-2">{description}</Radix.Description>
            )}
          </div>
          <Radix.Close asChild>
            <IconButton label={t('close')} disabled={locked} className="-mt-1 -mr-1">
              <X aria-hidden="true" />
            </IconButton>
          </Radix.Close>
        </div>
        <div className="scroll-quiet min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-6 pb-5">{children}</div>
        {foot && (
          <div className="flex flex-wrap items-center gap-3 border-t border-line px-6 py-4">
            {footLead}
            <div className="ml-auto flex flex-wrap justify-end gap-2">{foot}</div>
          </div>
        )}
      </Radix.Content>
    </div>
  )
}
