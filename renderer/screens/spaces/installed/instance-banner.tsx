import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Banner, Button } from '../../../components/index.ts'
import { useSpaces } from '../../../stores/spaces.ts'
import { useToasts } from '../../../stores/toasts.ts'

import type { SpacesSnapshot } from '../../../../electron/contract/index.ts'

/** The list of the robot's own app is worked on in place: which file, and the way back. */
export function InstanceBanner({ snapshot }: { snapshot: SpacesSnapshot }) {
  const { t } = useTranslation('keep')
  if (snapshot.instance === undefined) return null
  const back = async (): Promise<void> => {
    const answer = await attempt('spaces.useInstance', { path: null })
    if (answer.ok) useSpaces.getState().accept(answer.value)
    useToasts.getState().show({
      text: answer.ok ? t('import.nowOwn') : failureText(t, answer.error).message,
    })
  }
  return (
    <Banner
      title={t('instance.title')}
      className="max-w-[52rem]"
      action={
        <Button size="s" onClick={() => void back()}>
          {t('instance.back')}
        </Button>
      }
    >
      <span className="wrap-anywhere">{t('instance.text', { path: snapshot.manifest })}</span>
    </Banner>
  )
}
