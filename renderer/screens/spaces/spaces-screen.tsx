import { useTranslation } from 'react-i18next'

import { Screen } from '../../components/index.ts'

export function SpacesScreen() {
  const { t } = useTranslation('spaces')
  return <Screen title={t('title')}>{null}</Screen>
}
