import { Check, ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'

import { cx } from './cx.ts'
import { useSheetLayer } from './layer.tsx'
import { OVERLAY } from './menu.tsx'
import { nextOption } from './next-option.ts'

import type { KeyboardEvent, ReactNode } from 'react'

export interface SelectOption<V extends string> {
  value: V
  label: string
  /** A second line in the list. */
  note?: ReactNode
  disabled?: boolean | undefined
}

export interface SelectProps<V extends string> {
  /** The accessible name; visible labels come from `Field` (pass its `id` on) or `prefix`. */
  label?: string | undefined
  value: V
  onChange: (value: V) => void
  options: readonly SelectOption<V>[]
  /** Quiet text before the value inside the button. */
  prefix?: ReactNode
  id?: string | undefined
  disabled?: boolean | undefined
  className?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/**
 * A choice of one out of a list (role combobox). Leaves the page around it alive, so that Emergency stop works while
 * the list is open. Arrows, Home, End and typing move; Enter or Space take; Escape closes.
 */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, value, onChange, options, prefix, disabled, className } = props
  const own = useId()
  const id = props.id ?? own
  const layer = useSheetLayer()
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState<V>(value)
  const chosen = options.find((option) => option.value === value)

  useEffect(() => {
    if (!open) return
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [open, active])

  const show = (next: boolean): void => {
    if (next) setActive(value)
    setOpen(next)
  }
  const take = (next: V): void => {
    setOpen(false)
    if (next !== value) onChange(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!open) {
      if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key)) return
      event.preventDefault()
      show(true)
      return
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      take(active)
    } else if (event.key === 'Tab') {
      setOpen(false)
    } else {
      const next = nextOption(options, active, event.key)
      if (next === null) return
      event.preventDefault()
      setActive(next)
    }
  }

  return (
    <Popover.Root open={open} onOpenChange={show}>
      <Popover.Anchor asChild>
        <button
          type="button"
          id={id}
          role="combobox"
          aria-label={label}
          aria-haspopup="listbox"
          aria-expanded={open}
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={open ? `${id}-${active}` : undefined}
          aria-describedby={props['aria-describedby']}
          aria-invalid={props['aria-invalid']}
          disabled={disabled}
          onClick={() => show(!open)}
          onKeyDown={onKeyDown}
          className={cx(
            'inline-flex min-h-(--size-control) min-w-0 items-center justify-between gap-2 rounded-control border border-control bg-raised pr-2 pl-3 text-left',
            'enabled:hover:bg-hover disabled:border-dashed disabled:bg-transparent disabled:text-ink-3 aria-invalid:border-danger',
            className,
          )}
        >
          <span className="flex min-w-0 gap-2">
            {prefix && <span className="shrink-0 text-ink-2 narrow:hidden">{prefix}</span>}
            <span className="truncate">{chosen?.label ?? value}</span>
          </span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
        </button>
      </Popover.Anchor>
      <Popover.Portal container={layer}>
        <Popover.Content
          asChild
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <ul
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={label}
            aria-labelledby={label ? undefined : id}
            onMouseDown={(event) => event.preventDefault()}
            className={cx(
              OVERLAY,
              'scroll-quiet max-h-80 min-w-(--radix-popover-trigger-width) max-w-90 overflow-y-auto',
            )}
          >
            {options.map((option) => (
              <li
                key={option.value}
                id={`${id}-${option.value}`}
                role="option"
                aria-selected={option.value === value}
                aria-disabled={option.disabled}
                data-active={option.value === active ? '' : undefined}
                onMouseMove={() => setActive(option.value)}
                onClick={() => {
                  if (!option.disabled) take(option.value)
                }}
                className="flex min-h-8 items-center gap-2 rounded-control py-1 pr-3 pl-2 aria-disabled:text-ink-3 data-active:bg-hover"
              >
                <Check
                  aria-hidden="true"
                  className={cx('size-4 shrink-0 text-accent', option.value !== value && 'invisible')}
                />
                <span className="grid min-w-0">
                  <span className="truncate">{option.label}</span>
                  {option.note && <span className="text-small text-ink-3">{option.note}</span>}
                </span>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
