import { useTranslation } from 'react-i18next'

import { Banner, Button } from '../../components/index.ts'
import { useReview } from '../../stores/review.ts'
import { useSpaces } from '../../stores/spaces.ts'

/** How many Spaces are not as they were approved, with the way to look at the first. */
export function ReviewBanner() {
  const { t } = useTranslation('keep')
  const snapshot = useSpaces((state) => state.snapshot)
  const changed = snapshot?.spaces.filter((space) => space.review) ?? []
  const [first] = changed
  if (!first) return null
  return (
    <Banner
      tone="warn"
      title={t('review.banner', { count: changed.length })}
      className="mb-3"
      action={
        <Button
          size="s"
          aria-label={t('review.buttonNamed', { slug: first.slug })}
          onClick={() => useReview.getState().open(first.slug)}
        >
          {t('review.button')}
        </Button>
      }
    >
      {t('review.bannerText')}
    </Banner>
  )
}
