import { ChevronDown, ChevronRight, ExternalLink, RotateCw, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'

import { attempt } from '../../../app/bridge.ts'
import { failureText } from '../../../app/failure-text.ts'
import { Badge, Button, Card, FailureBanner, IconButton } from '../../../components/index.ts'
import { useReview } from '../../../stores/review.ts'
import { openSpace } from '../detail/detail-store.ts'
import { Publisher } from '../space-parts.tsx'

import { useCheck } from './check-store.ts'
import { stateOf } from './installed-facts.ts'
import { InstalledTool } from './installed-tool.tsx'

import type { InstalledSpace } from '../../../../electron/contract/index.ts'

const NOWHERE: readonly string[] = []

/** When its tools were last looked at, and how that went. */
function Checked({ space }: { space: InstalledSpace }) {
  const { t, i18n } = useTranslation('keep')
  const { check } = space
  if (!check) return t('installed.notChecked')
  if (check.state === 'checking') return t('installed.checkingOne')
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(check.at)
  if (check.state === 'ok' || !check.failure) return t('installed.checkedAt', { when })
  const { message, hint } = failureText(t, check.failure)
  return (
    <span className="text-warn">
      {t('installed.checkFailed', { when, message })} {hint}
    </span>
  )
}

interface HeadProps {
  space: InstalledSpace
  locked: boolean
  onRemove: (slug: string) => void
}

function Head({ space, locked, onRemove }: HeadProps) {
  const { t } = useTranslation('spaces')
  const { slug } = space
  const [author = '', name = slug] = slug.split('/')
  const checking = space.check?.state === 'checking'
  const anyCheck = useCheck((state) => state.operationId !== null)
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <div className="min-w-40 flex-1">
        <h2 className="flex flex-wrap items-center gap-2 font-strong wrap-anywhere">
          <button
            type="button"
            className="text-left hover:underline"
            aria-label={t('installed.detailsNamed', { ns: 'keep', slug })}
            onClick={() => openSpace(slug)}
          >
            {name}
          </button>
          {space.private && <Badge>{t('card.private')}</Badge>}
        </h2>
        <Publisher author={author} official={space.official} />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-1.5">
        {space.review && (
          <Button
            size="s"
            aria-label={t('review.buttonNamed', { ns: 'keep', slug })}
            onClick={() => useReview.getState().open(slug)}
          >
            {t('review.button', { ns: 'keep' })}
          </Button>
        )}
        <IconButton size="s" label={t('dialog.page')} onClick={() => void attempt('app.openSpacePage', { slug })}>
          <ExternalLink aria-hidden="true" />
        </IconButton>
        <Button
          size="s"
          variant={space.review ? 'quiet' : 'secondary'}
          icon={<RotateCw aria-hidden="true" />}
          aria-label={t('installed.checkNamed', { slug })}
          busy={checking}
          disabled={locked || (anyCheck && !checking)}
          onClick={() => void useCheck.getState().check(slug)}
        >
          {t('installed.check')}
        </Button>
        <Button
          size="s"
          variant="quiet"
          icon={<Trash2 aria-hidden="true" />}
          aria-label={t('card.removeNamed', { slug })}
          disabled={locked}
          onClick={() => onRemove(slug)}
        >
          {t('card.remove')}
        </Button>
      </div>
    </div>
  )
}

export interface InstalledCardProps extends HeadProps {
  /** Profiles in which at least one of its tools is on, as a text. */
  usedIn: string
  onIn: ReadonlyMap<string, readonly string[]>
  unfolded: boolean
  onFold: (slug: string, unfolded: boolean) => void
}

/** One installed Space with its tools. */
export const InstalledCard = memo(function InstalledCard(props: InstalledCardProps) {
  const { space, usedIn, onIn, unfolded, onFold } = props
  const { t } = useTranslation('keep')
  const { slug, tools, problem, review } = space
  const Chevron = unfolded ? ChevronDown : ChevronRight
  return (
    <article aria-label={slug}>
      <Card className="p-4">
        <Head {...props} />
        {problem && <FailureBanner tone="warn" failure={problem} className="mt-3" />}
        {tools.length > 0 ? (
          <>
            <button
              type="button"
              aria-expanded={unfolded}
              aria-label={t(unfolded ? 'installed.fold.closeNamed' : 'installed.fold.openNamed', { slug })}
              onClick={() => onFold(slug, !unfolded)}
              className="mt-2 -ml-1 flex min-h-7 items-center gap-1 rounded-control pr-2 text-ink-2 hover:text-ink"
            >
              <Chevron aria-hidden="true" className="size-4" />
              {t('installed.tools', { count: tools.length })}
            </button>
            {unfolded && (
              <ul aria-label={t('installed.toolsOf', { slug })}>
                {tools.map((tool, i) => (
                  <InstalledTool
                    // Two that cannot be named may share the remote name.
                    key={tool.id ?? `${i} ${tool.remoteName}`}
                    tool={tool}
                    state={stateOf(tool, review)}
                    onIn={(tool.id === null ? undefined : onIn.get(tool.id)) ?? NOWHERE}
                    usedIn={usedIn}
                  />
                ))}
              </ul>
            )}
          </>
        ) : (
          <p className="mt-2 text-ink-2">{t('installed.noTools', { ns: 'spaces' })}</p>
        )}
        <p className="mt-1 flex flex-wrap gap-x-4 border-t border-line pt-2 text-small wrap-anywhere text-ink-3">
          <span>
            {usedIn !== ''
              ? t('installed.usedIn', { ns: 'spaces', profiles: usedIn })
              : t('installed.unused', { ns: 'spaces' })}
          </span>
          <span role="status">
            <Checked space={space} />
          </span>
        </p>
      </Card>
    </article>
  )
})
