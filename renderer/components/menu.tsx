import { DropdownMenu } from 'radix-ui'

import { cx } from './cx.ts'
import { useSheetLayer } from './layer.tsx'

import type { ReactElement, ReactNode } from 'react'

export interface MenuItem {
  id: string
  label: ReactNode
  /** A second line. */
  note?: ReactNode
  icon?: ReactNode
  onSelect: () => void
  disabled?: boolean | undefined
  danger?: boolean | undefined
  /** A line above this item. */
  separated?: boolean | undefined
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  items: readonly MenuItem[]
  /** Something that is not an item, above them. */
  head?: ReactNode
  side?: 'bottom' | 'left' | 'right' | 'top' | undefined
  align?: 'start' | 'end' | undefined
}

export const OVERLAY =
  'pointer-events-auto z-30 rounded-card border border-line bg-raised p-1 text-ui text-ink shadow-overlay outline-none'

/** A menu below its button, drawn over the sheet. */
export function Menu({ trigger, items, head, side = 'bottom', align = 'end' }: MenuProps) {
  const layer = useSheetLayer()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={layer}>
        <DropdownMenu.Content
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(OVERLAY, 'min-w-44 max-w-80')}
        >
          {head && <div className="px-3 py-2">{head}</div>}
          {items.map((item) => (
            <div key={item.id} role="presentation">
              {item.separated && <DropdownMenu.Separator className="mx-2 my-1 h-px bg-line" />}
              <DropdownMenu.Item
                disabled={item.disabled ?? false}
                onSelect={item.onSelect}
                className={cx(
                  'flex min-h-8 items-center gap-2.5 rounded-control px-3 py-1 outline-none data-highlighted:bg-hover data-disabled:text-ink-3 [&_svg]:size-4 [&_svg]:shrink-0',
                  item.danger && 'text-danger',
                )}
              >
                {item.icon}
                <span className="grid min-w-0">
                  <span>{item.label}</span>
                  {item.note && <span className="text-small text-ink-3">{item.note}</span>}
                </span>
              </DropdownMenu.Item>
            </div>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
