import { Search, TriangleAlert, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { cx } from './cx.ts'

import type { ComponentProps, ReactNode } from 'react'

interface Described {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with the value; replaces the hint and marks the control as invalid. */
  error?: ReactNode
  className?: string | undefined
  /** Gets the attributes that tie the control to label, hint and error: spread them on it. */
  children: (control: Described) => ReactNode
}

/** A labelled control with a hint or an error below it. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="justify-self-start text-small font-medium text-ink-2">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note && (
        <p
          id={`${id}-note`}
          className={cx('flex items-start gap-1.5 text-small', error ? 'text-danger' : 'text-ink-3')}
        >
          {error && <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />}
          <span>{note}</span>
        </p>
      )}
    </div>
  )
}

const BOX =
  'border border-control bg-raised text-ink outline-offset-1 rounded-control transition-colors duration-instant ' +
  'aria-invalid:border-danger disabled:border-dashed disabled:bg-transparent disabled:text-ink-3'

/** A one-line text field. Name it by `Field` or `aria-label`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      {...rest}
      className={cx(BOX, 'min-h-(--size-control) w-full min-w-0 px-2.5 text-ui', className)}
    />
  )
}

/** A text field of several lines. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={cx(BOX, 'w-full min-w-0 resize-none px-2.5 py-1.5 text-body', className)} />
}

export interface SearchBoxProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A searchbox with a magnifier and a button that clears it; Escape clears, too. */
export function SearchBox({ label, value, onChange, className, placeholder, ...rest }: SearchBoxProps) {
  const { t } = useTranslation('common')
  return (
    <div
      className={cx(
        BOX,
        'flex min-h-(--size-control) min-w-0 items-center gap-2 pr-1 pl-2.5',
        'focus-within:outline-2 focus-within:outline-focus',
        className,
      )}
    >
      <Search aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <input
        type="search"
        {...rest}
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          onChange('')
        }}
        className="min-w-0 flex-1 bg-transparent text-ui outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={t('clear')}
          onClick={() => onChange('')}
          className="grid size-6 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </div>
  )
}
