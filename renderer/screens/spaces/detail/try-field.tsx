import { Dices } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { IconButton, Input, Select, Switch, TextArea, cx } from '../../../components/index.ts'

import { useFieldWords } from './field-words.ts'
import { optionLabel } from './schema-form.ts'

import type { FieldProblem, FieldValue, FormField } from './schema-form.ts'

export interface TryFieldProps {
  field: FormField
  value: FieldValue
  problem: FieldProblem | undefined
  disabled: boolean
  onChange: (value: FieldValue) => void
}

interface ControlProps extends Omit<TryFieldProps, 'problem'> {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** "No value" in a list of JSON texts, which are never empty. */
const UNSET = ''
const MOST_SEED = 2_147_483_647

function seedFor({ control }: FormField): string | null {
  if (control.kind !== 'number' || !control.whole) return null
  const min = Math.max(control.min ?? 0, 0)
  const max = Math.min(control.max ?? MOST_SEED, MOST_SEED)
  return max > min ? String(min + Math.floor(Math.random() * (max - min + 1))) : null
}

function Control({ field, value, disabled, onChange, ...described }: ControlProps) {
  const { t } = useTranslation('detail')
  const { control } = field
  const text = typeof value === 'string' ? value : ''
  switch (control.kind) {
    case 'choice':
      return (
        <Select
          {...described}
          value={text}
          disabled={disabled}
          onChange={(next) => onChange(next === UNSET ? undefined : next)}
          options={[
            ...(field.required && text !== UNSET ? [] : [{ value: UNSET, label: t('try.unset') }]),
            ...control.options.map((option) => ({ value: JSON.stringify(option), label: optionLabel(option) })),
          ]}
          className="w-full"
        />
      )
    case 'switch':
      return (
        <span className="flex min-h-(--size-control) items-center gap-2">
          <Switch id={described.id} checked={value === true} disabled={disabled} onChange={onChange} />
          {value === undefined && !field.required && <span className="text-small text-ink-3">{t('try.unset')}</span>}
        </span>
      )
    case 'number': {
      const isSeed = control.whole && /seed/i.test(field.name)
      const input = (
        <Input
          {...described}
          inputMode={control.whole ? 'numeric' : 'decimal'}
          autoComplete="off"
          value={text}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
          className={cx(isSeed && 'pr-9')}
        />
      )
      if (!isSeed) return input
      return (
        <span className="relative block">
          {input}
          <IconButton
            size="s"
            label={t('try.seed')}
            disabled={disabled}
            onClick={() => onChange(seedFor(field) ?? text)}
            className="absolute top-0.5 right-0.5"
          >
            <Dices aria-hidden="true" />
          </IconButton>
        </span>
      )
    }
    case 'text':
      if (!control.long)
        return (
          <Input
            {...described}
            autoComplete="off"
            value={text}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      break
    default:
  }
  return (
    <TextArea
      {...described}
      rows={control.kind === 'text' ? 4 : 3}
      spellCheck={control.kind === 'text'}
      value={text}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      className={cx('resize-y', control.kind !== 'text' && 'mono')}
    />
  )
}

/** Half a row where a value is short. */
const isShort = ({ control }: FormField): boolean => ['choice', 'number', 'switch'].includes(control.kind)

/** One parameter of a tool as a labelled control, with what it takes and what is wrong with it. */
export function TryField(props: TryFieldProps) {
  const { field, problem } = props
  const id = useId()
  const words = useFieldWords()
  const note = problem ? words.problem(problem) : field.description
  return (
    <div className={cx('grid min-w-0 content-start gap-1.5', !isShort(field) && 'col-span-full')}>
      <label htmlFor={id} className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-small text-ink-3">
        <span className="mono wrap-anywhere text-ink">{field.name}</span>
        <span>{words.hint(field)}</span>
      </label>
      <Control
        {...props}
        id={id}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={problem ? true : undefined}
      />
      {note && (
        <p
          id={`${id}-note`}
          className={cx('line-clamp-4 text-small wrap-anywhere', problem ? 'text-danger' : 'text-ink-3')}
        >
          {note}
        </p>
      )}
    </div>
  )
}
