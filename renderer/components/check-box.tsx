import { Check, Minus } from 'lucide-react'
import { Checkbox } from 'radix-ui'

import { cx } from './cx.ts'

export interface CheckBoxProps {
  /** The accessible name. */
  label: string
  /** `mixed`: it stands for several, of which some are ticked. Pressing ticks all. */
  checked: boolean | 'mixed'
  onChange: (on: boolean) => void
  disabled?: boolean | undefined
  describedBy?: string | undefined
}

/** A box that is ticked or not, or stands for several. */
export function CheckBox({ label, checked, onChange, disabled = false, describedBy }: CheckBoxProps) {
  return (
    <Checkbox.Root
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked === 'mixed' ? 'indeterminate' : checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next === true)}
      className={cx(
        'relative mt-px grid size-4.5 shrink-0 place-items-center rounded-[0.3125rem] border border-control bg-raised',
        'after:absolute after:-inset-1.5 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        'data-[state=checked]:text-on-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:text-accent',
        'disabled:border-dashed',
      )}
    >
      <Checkbox.Indicator>
        {checked === 'mixed' ? (
          <Minus aria-hidden="true" strokeWidth={2.6} className="size-3.5" />
        ) : (
          <Check aria-hidden="true" strokeWidth={2.6} className="size-3.5" />
        )}
      </Checkbox.Indicator>
    </Checkbox.Root>
  )
}
