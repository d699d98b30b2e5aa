import i18next from 'i18next'

import { useProfileDialog } from './dialog-store.ts'
import { hideProfile, openFolder, removeProfile } from './profile-actions.ts'

import type { ProfileSummary } from '../../../electron/contract/index.ts'
import type { MenuItem } from '../../components/index.ts'

type Action = 'duplicate' | 'rename' | 'details' | 'export' | 'folder' | 'show' | 'hide' | 'restore' | 'remove'

/** What can be done with a profile besides editing it. */
export function profileMenu(profile: ProfileSummary): MenuItem[] {
  const { name, source, edited, hidden, problem } = profile
  const { show } = useProfileDialog.getState()
  const t = (key: Action): string => i18next.t(`act.${key}`, { ns: 'profiles' })
  const own = source !== 'shipped' && !edited
  const items: Array<MenuItem | null> = [
    { id: 'duplicate', label: t('duplicate'), onSelect: () => show({ kind: 'duplicate', name }), disabled: !!problem },
    own ? { id: 'rename', label: t('rename'), onSelect: () => show({ kind: 'rename', name }) } : null,
    { id: 'details', label: t('details'), onSelect: () => show({ kind: 'details', name }) },
    {
      id: 'export',
      label: t('export'),
      onSelect: () => show({ kind: 'export', name }),
      disabled: !!problem,
      separated: true,
    },
    { id: 'folder', label: t('folder'), onSelect: () => void openFolder(name) },
    {
      id: 'hide',
      label: t(hidden ? 'show' : 'hide'),
      onSelect: () => void hideProfile(name, !hidden),
      disabled: name === 'default',
    },
    edited
      ? { id: 'restore', label: t('restore'), onSelect: () => void removeProfile(profile), danger: true, separated: true }
      : null,
    own ? { id: 'remove', label: t('remove'), onSelect: () => void removeProfile(profile), danger: true, separated: true } : null,
  ]
  return items.filter((item) => item !== null)
}
