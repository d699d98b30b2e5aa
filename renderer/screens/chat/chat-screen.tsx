import { useTranslation } from 'react-i18next'

import { Screen } from '../../components/index.ts'

export function ChatScreen() {
  const { t } = useTranslation('chat')
  return <Screen title={t('title')}>{null}</Screen>
}
