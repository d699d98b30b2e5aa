import { useNavigation } from '../../../stores/navigation.ts'
import { useReview } from '../../../stores/review.ts'
import { useCatalogue } from '../../spaces/catalogue-store.ts'

import type { ToolEntry } from '../../../../electron/contract/index.ts'

/** Leads to where the change of a remote tool is decided: the review of its Space, or its server among the others. */
export function reviewTool({ source, origin, id }: Pick<ToolEntry, 'source' | 'origin' | 'id'>): void {
  if (source === 'space') {
    useReview.getState().open(origin, id)
    return
  }
  useCatalogue.getState().setTab('servers')
  useNavigation.getState().go('spaces')
}
