import { useTranslation } from 'react-i18next'

import { Button, Field, Input } from '../../components/index.ts'

import type { SecretState } from '../../../electron/contract/index.ts'

export interface SecretFieldProps {
  label: string
  state: SecretState
  value: string
  onChange: (value: string) => void
  removeLabel: string
  onRemove: () => void
  /** Where it is sent. */
  hint: string
  error?: string | undefined
}

/** A field for a key or token: what is stored is said in words and never shown. */
export function SecretField({ label, state, value, onChange, removeLabel, onRemove, hint, error }: SecretFieldProps) {
  const { t } = useTranslation('settings')
  const removable = state === 'ok' || state === 'session' || state === 'undecryptable'
  return (
    <Field label={label} hint={`${t(`secret.${state}`)} ${hint}`} error={error}>
      {(control) => (
        <div className="flex min-w-0 gap-2">
          <Input
            {...control}
            // A text field with hidden characters: a password field is none to a screen reader's list of text fields.
            className="[-webkit-text-security:disc]"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder={state === 'absent' ? '' : t('secret.replace')}
            autoComplete="off"
            spellCheck={false}
          />
          {removable && (
            <Button variant="danger" onClick={onRemove}>
              {removeLabel}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
