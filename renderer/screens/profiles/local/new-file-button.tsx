import { FilePlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { IconButton } from '../../../components/index.ts'

import { useLocalDialog } from './local-store.ts'

/** In the header of the user's own tools. */
export function NewFileButton() {
  const { t } = useTranslation('local')
  return (
    <IconButton size="s" label={t('create.button')} onClick={() => useLocalDialog.getState().open({ kind: 'new' })}>
      <FilePlus aria-hidden="true" />
    </IconButton>
  )
}
