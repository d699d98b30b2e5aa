import { useTranslation } from 'react-i18next'

import { Screen } from '../../components/index.ts'

export function SettingsScreen() {
  const { t } = useTranslation('settings')
  return <Screen title={t('title')}>{null}</Screen>
}
