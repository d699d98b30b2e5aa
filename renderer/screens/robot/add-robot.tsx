import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../app/bridge.ts'
import { failureText } from '../../app/failure-text.ts'
import { Button, Field, Input } from '../../components/index.ts'
import { useConnect } from '../../stores/connect.ts'

import type { Failure } from '../../../electron/contract/index.ts'

/** What a port is called on this system, as an example. */
function examplePort(platform: string): string {
  if (platform.startsWith('Win')) return 'COM3'
  return platform.startsWith('Mac') ? '/dev/cu.usbmodem1101' : '/dev/ttyACM0'
}

export interface AddRobotProps {
  /** Takes the focus when it appears. */
  focused?: boolean | undefined
}

/** A robot that is found by nobody: its port or its address, typed. */
export function AddRobot({ focused = false }: AddRobotProps) {
  const { t } = useTranslation('robot')
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | 'empty' | null>(null)
  const [busy, setBusy] = useState(false)
  const { connect } = useConnect()

  const submit = async (): Promise<void> => {
    if (busy) return
    if (text.trim() === '') return setFailure('empty')
    setBusy(true)
    const answer = await attempt('robot.add', { text: text.trim() })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.error)
    setText('')
    setFailure(null)
    if (answer.value.state === 'ready') await connect(answer.value.id)
  }

  const said = failure !== null && failure !== 'empty' ? failureText(t, failure) : null
  const error = failure === 'empty' ? t('add.empty') : said ? `${said.message} ${said.hint ?? ''}` : undefined
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field
        label={t('add.label')}
        hint={t('add.hint', { port: examplePort(navigator.platform) })}
        error={error}
        className="min-w-48 flex-1"
      >
        {(control) => (
          <Input
            {...control}
            autoFocus={focused}
            value={text}
            maxLength={300}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setText(event.target.value)
              setFailure(null)
            }}
          />
        )}
      </Field>
      <Button type="submit" busy={busy} className="mt-5.5">
        {t('add.submit')}
      </Button>
    </form>
  )
}
