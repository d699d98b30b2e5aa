import { useTranslation } from 'react-i18next'

import { Screen } from '../../components/index.ts'

export function ProfilesScreen() {
  const { t } = useTranslation('profiles')
  return <Screen title={t('title')}>{null}</Screen>
}
