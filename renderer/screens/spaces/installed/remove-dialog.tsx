import { useTranslation } from 'react-i18next'

import { Button, Dialog, FailureBanner } from '../../../components/index.ts'
import { useTools } from '../../../stores/tools.ts'
import { useRemove } from '../use-remove.ts'

import { linesOf } from './installed-facts.ts'

/** Asks before a Space is removed, naming the profiles that lose lines. */
export function RemoveDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation('keep')
  const lists = useTools((state) => state.lists)
  const { busy, failure, remove } = useRemove(slug)
  const lines = linesOf(slug, lists)
  return (
    <Dialog
      open
      width="s"
      title={t('remove.title', { slug })}
      description={t('remove.text')}
      locked={busy}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button
            variant="primary"
            data-autofocus=""
            busy={busy}
            onClick={() => {
              void remove().then((removed) => {
                if (removed) onClose()
              })
            }}
          >
            {t('remove.button')}
          </Button>
        </>
      }
    >
      {failure && <FailureBanner failure={failure} className="mb-3" />}
      {lines.length === 0 ? (
        <p className="text-ink-2">{t('remove.none')}</p>
      ) : (
        <>
          <p className="text-ink-2">{t('remove.lines')}</p>
          <ul className="mono mt-1 grid gap-0.5 text-ink">
            {lines.map(({ profile, count }) => (
              <li key={profile} className="break-all">
                {t('remove.line', { profile, count })}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
