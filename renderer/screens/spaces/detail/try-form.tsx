import { Play, Square } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Spinner } from '../../../components/index.ts'
import { hostOf } from '../preview-facts.ts'

import { argumentsOf, fieldsOf } from './schema-form.ts'
import { TryField } from './try-field.tsx'
import { TryResult } from './try-result.tsx'
import { tryKey, UNTRIED, useTries } from './try-store.ts'
import { useSecondsSince } from './use-seconds.ts'

import type { PreviewTool } from '../../../../electron/contract/index.ts'
import type { FormReading } from './schema-form.ts'
import type { SyntheticEvent } from 'react'

export interface TryFormProps {
  slug: string
  tool: PreviewTool
  /** The name that people know it by. */
  id: string
  /** The preview that connected to the Space; absent: it is installed. */
  previewId: string | undefined
  /** Address that the values go to, where it is known. */
  mcpUrl: string | undefined
}

function Running({ since }: { since: number }) {
  const { t } = useTranslation('detail')
  const seconds = useSecondsSince(since)
  return (
    <span className="flex items-center gap-2 text-small text-ink-2">
      <Spinner />
      {t('try.running', { seconds })}
    </span>
  )
}

/** A tool as a form: its parameters, Try and Stop, and what came back. */
export function TryForm({ slug, tool, id, previewId, mcpUrl }: TryFormProps) {
  const { t } = useTranslation('detail')
  const key = tryKey(slug, tool.remoteName)
  const { values, running, outcome } = useTries((state) => state.tries[key] ?? UNTRIED)
  const { type, run, stop } = useTries.getState()
  const [checked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const fields = useMemo(() => fieldsOf(tool.parameters), [tool.parameters])
  const reading: FormReading = argumentsOf(fields, values)
  const problems = checked && !reading.ok ? reading.problems : {}

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setChecked(true)
    if (reading.ok) {
      void run(key, { slug, previewId, remoteName: tool.remoteName, arguments: reading.arguments })
      return
    }
    // Once the marks are drawn: to the first field that is wrong.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }

  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label={t('try.form', { id })}
        onSubmit={submit}
        className="mt-3 grid grid-cols-2 gap-3 narrow:grid-cols-1"
      >
        {fields.map((field) => (
          <TryField
            key={field.name}
            field={field}
            value={Object.hasOwn(values, field.name) ? values[field.name] : field.initial}
            problem={Object.hasOwn(problems, field.name) ? problems[field.name] : undefined}
            disabled={running !== null}
            onChange={(value) => type(key, field.name, value)}
          />
        ))}
        <div className="col-span-full flex flex-wrap items-center gap-x-3 gap-y-1">
          {running ? (
            <>
              <Button icon={<Square aria-hidden="true" className="fill-current" />} onClick={() => stop(key)}>
                {t('try.stop')}
              </Button>
              <Running since={running.since} />
            </>
          ) : (
            <>
              <Button type="submit" icon={<Play aria-hidden="true" className="fill-current" />}>
                {outcome ? t('try.again') : t('try.run')}
              </Button>
              <p className="min-w-0 flex-1 text-small wrap-anywhere text-ink-3">
                {reading.ok && t('try.leaves', { count: Object.keys(reading.arguments).length })}{' '}
                {mcpUrl !== undefined && t('try.to', { host: hostOf(mcpUrl) })}
              </p>
            </>
          )}
        </div>
      </form>
      {outcome && <TryResult id={id} outcome={outcome} />}
    </>
  )
}
