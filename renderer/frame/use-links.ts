import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { useDialogs } from '../stores/dialogs.ts'
import { takeStartLink, useLinks } from '../stores/links.ts'
import { useNavigation } from '../stores/navigation.ts'
import { useToasts } from '../stores/toasts.ts'

/** Shows the Space that a link from outside names. Over an open dialog the link waits: nobody's answer is taken away. */
export function useDeepLinks(): void {
  const { t } = useTranslation('keep')
  const arrived = useLinks((state) => state.arrived)

  useEffect(() => {
    void takeStartLink()
  }, [])

  useEffect(() => {
    if (arrived === null) return
    const { forget, want } = useLinks.getState()
    const show = (): void => {
      useNavigation.getState().go('spaces')
      want(arrived)
    }
    forget()
    if (useDialogs.getState().open === 0) show()
    else {
      useToasts.getState().show({
        text: t('link.waits', { slug: arrived }),
        action: { label: t('link.show'), run: show },
        stays: true,
      })
    }
  }, [arrived, t])
}
