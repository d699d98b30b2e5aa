import { useTranslation } from 'react-i18next'

import { Banner, CheckBox, Field, Input, Segmented, TextArea } from '../../../components/index.ts'

import { isPlainHttp } from './server-fields.ts'
import { useServerDialogs } from './server-store.ts'

import type { Adding } from './server-store.ts'

interface FormProps {
  adding: Adding
  disabled: boolean
}

function Ticked({
  text,
  checked,
  disabled,
  onChange,
}: {
  text: string
  checked: boolean
  disabled: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <div className="flex gap-2.5">
      <CheckBox label={text} checked={checked} disabled={disabled} onChange={onChange} />
      <span aria-hidden="true">{text}</span>
    </div>
  )
}

function AddressFields({ adding, disabled }: FormProps) {
  const { t } = useTranslation('servers')
  const { edit, useImportedToken } = useServerDialogs.getState()
  const { fields, importedToken, leftOut } = adding
  const plain = isPlainHttp(fields)
  const hasToken = fields.token !== '' || fields.tokenEnv.trim() !== '' || importedToken
  // The choice stays on screen after it was taken back.
  const offersImported = leftOut.some((name) => name.toLowerCase() === 'authorization')
  return (
    <>
      <Field label={t('dialog.url')} hint={t('dialog.urlHint')}>
        {(control) => (
          <Input
            {...control}
            value={fields.url}
            maxLength={2_000}
            disabled={disabled}
            spellCheck={false}
            autoComplete="off"
            placeholder="http://homeassistant.local:8123/mcp"
            onChange={(event) => edit({ url: event.target.value })}
          />
        )}
      </Field>
      {plain && <Banner tone="warn">{t('card.plainHttpText')}</Banner>}
      <Field label={t('dialog.token')} hint={t('dialog.tokenHint')}>
        {(control) => (
          <Input
            {...control}
            // A text field with hidden characters: a password field is none to a screen reader's list of text fields.
            className="[-webkit-text-security:disc]"
            value={fields.token}
            maxLength={4_000}
            disabled={disabled}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => edit({ token: event.target.value })}
          />
        )}
      </Field>
      {offersImported && (
        <Ticked
          text={t('dialog.importedToken')}
          checked={importedToken}
          disabled={disabled}
          onChange={useImportedToken}
        />
      )}
      <Field label={t('dialog.tokenEnv')} hint={t('dialog.tokenEnvHint')}>
        {(control) => (
          <Input
            {...control}
            value={fields.tokenEnv}
            maxLength={200}
            disabled={disabled}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => edit({ tokenEnv: event.target.value })}
          />
        )}
      </Field>
      {plain && hasToken && (
        <Ticked
          text={t('dialog.insecure')}
          checked={fields.allowInsecureHttp}
          disabled={disabled}
          onChange={(on) => edit({ allowInsecureHttp: on })}
        />
      )}
    </>
  )
}

function ProgramFields({ adding, disabled }: FormProps) {
  const { t } = useTranslation('servers')
  const { edit } = useServerDialogs.getState()
  const { fields, wrongLine } = adding
  const lines = (key: 'args' | 'env' | 'envFrom', rows: number, error?: string) => (
    <Field label={t(`dialog.${key}`)} hint={t(`dialog.${key}Hint`)} error={error}>
      {(control) => (
        <TextArea
          {...control}
          rows={rows}
          value={fields[key]}
          disabled={disabled}
          spellCheck={false}
          className="mono"
          onChange={(event) => edit({ [key]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <>
      <Field label={t('dialog.command')} hint={t('dialog.commandHint')}>
        {(control) => (
          <Input
            {...control}
            value={fields.command}
            maxLength={2_000}
            disabled={disabled}
            spellCheck={false}
            autoComplete="off"
            className="mono"
            onChange={(event) => edit({ command: event.target.value })}
          />
        )}
      </Field>
      {lines('args', 4)}
      {lines('env', 2, wrongLine === null ? undefined : t('dialog.wrongLine', { line: wrongLine }))}
      {lines('envFrom', 2)}
      <Field label={t('dialog.cwd')}>
        {(control) => (
          <Input
            {...control}
            value={fields.cwd}
            maxLength={2_000}
            disabled={disabled}
            spellCheck={false}
            autoComplete="off"
            className="mono"
            onChange={(event) => edit({ cwd: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

/** What makes a server: its name, and an address or a program. */
export function AddForm({ adding, disabled }: FormProps) {
  const { t } = useTranslation('servers')
  const { edit } = useServerDialogs.getState()
  const { fields, leftOut } = adding
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {leftOut.length > 0 && <Banner>{t('dialog.leftOut', { names: leftOut.join(', ') })}</Banner>}
      <div className="justify-self-start">
        <Segmented
          label={t('dialog.kind')}
          value={fields.kind}
          onChange={(kind) => edit({ kind })}
          options={[
            { value: 'http', label: t('dialog.http') },
            { value: 'stdio', label: t('dialog.stdio') },
          ]}
        />
      </div>
      <Field label={t('dialog.name')} hint={t('dialog.nameHint')}>
        {(control) => (
          <Input
            {...control}
            data-autofocus=""
            value={fields.name}
            maxLength={64}
            disabled={disabled}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => edit({ name: event.target.value })}
          />
        )}
      </Field>
      {fields.kind === 'http' ? (
        <AddressFields adding={adding} disabled={disabled} />
      ) : (
        <ProgramFields adding={adding} disabled={disabled} />
      )}
    </div>
  )
}
