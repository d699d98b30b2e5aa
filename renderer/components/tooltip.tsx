import { Tooltip as Radix } from 'radix-ui'

import { useSheetLayer } from './layer.tsx'

import type { ReactElement, ReactNode } from 'react'

export interface TooltipProps {
  content: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right' | undefined
  children: ReactElement
}

/** A short explanation on hover and focus; never the only place of a reason. */
export function Tooltip({ content, side = 'bottom', children }: TooltipProps) {
  const layer = useSheetLayer()
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="pointer-events-none z-40 max-w-80 rounded-control border border-line bg-raised px-3 py-2 text-small wrap-anywhere text-ink shadow-overlay"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Once, around everything: tooltips wait a moment, then follow each other at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  )
}
