import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'

import { cx } from './cx.ts'
import { useSheetLayer } from './layer.tsx'
import { OVERLAY } from './menu.tsx'

export interface MultiSelectProps<V extends string> {
  /** The accessible name; what is chosen is added to it. */
  label: string
  values: readonly V[]
  onChange: (values: readonly V[]) => void
  options: readonly { value: V; label: string }[]
  /** What the button shows, e.g. one name, or how many. */
  summary: string
  id?: string | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

/** A choice of any number out of a list that stays open while one ticks; arrows move, Space and Enter tick, Escape closes. */
export function MultiSelect<V extends string>(props: MultiSelectProps<V>) {
  const { label, values, onChange, options, summary, id, disabled, className } = props
  const layer = useSheetLayer()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          id={id}
          aria-label={`${label}: ${summary}`}
          disabled={disabled}
          className={cx(
            'inline-flex min-h-(--size-control) min-w-0 items-center justify-between gap-2 rounded-control border border-control bg-raised pr-2 pl-3 text-left',
            'enabled:hover:bg-hover disabled:border-dashed disabled:bg-transparent disabled:text-ink-3',
            className,
          )}
        >
          <span className="truncate">{summary}</span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={layer}>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={cx(
            OVERLAY,
            'scroll-quiet max-h-72 max-w-90 min-w-(--radix-dropdown-menu-trigger-width) overflow-y-auto',
          )}
        >
          {options.map((option) => (
            <DropdownMenu.CheckboxItem
              key={option.value}
              checked={values.includes(option.value)}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(on) =>
                onChange(
                  options
                    .map(({ value }) => value)
                    .filter((value) => (value === option.value ? on : values.includes(value))),
                )
              }
              className="flex min-h-8 items-center gap-2 rounded-control py-1 pr-3 pl-2 outline-none data-highlighted:bg-hover"
            >
              <Check
                aria-hidden="true"
                className={cx('size-4 shrink-0 text-accent', !values.includes(option.value) && 'invisible')}
              />
              <span className="min-w-0 truncate">{option.label}</span>
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
