import { useTranslation } from 'react-i18next'

import { Button, Input } from '../../components/index.ts'

import { useInstall } from './install-store.ts'

import type { SyntheticEvent } from 'react'

/** Adds a Space by its name or a link to it. What is wrong with the text is shown below the header. */
export function AddSpace({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation('spaces')
  const { start, type } = useInstall.getState()
  const text = useInstall((state) => state.typed)
  const refused = useInstall((state) => state.refused !== null)

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    const ref = text.trim()
    if (ref !== '') void start(ref)
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 gap-2">
      <Input
        aria-label={t('add.label')}
        aria-invalid={refused || undefined}
        aria-describedby={refused ? 'add-space-refused' : undefined}
        placeholder={t('add.placeholder')}
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        value={text}
        disabled={disabled}
        onChange={(event) => type(event.target.value)}
        className="max-w-54 narrow:max-w-38"
      />
      <Button type="submit" disabled={disabled}>
        {t('add.button')}
      </Button>
    </form>
  )
}
