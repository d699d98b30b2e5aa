import { canRemoveLine } from '../problem-marks.ts'

import type { FileProblem } from '../../../../electron/contract/index.ts'
import type { LineFix } from './line-fixes.ts'

/** What a person may want to do about a problem of one line, the likeliest first. */
export function fixesFor(problem: FileProblem): readonly LineFix[] {
  const { code, suggestion } = problem
  const replace: readonly LineFix[] = suggestion === undefined ? [] : [{ kind: 'replace', id: suggestion }]
  const remove: readonly LineFix[] = canRemoveLine(problem) ? [{ kind: 'removeLine' }] : []
  switch (code) {
    case 'tools/inline-comment':
      return [{ kind: 'moveComment' }]
    case 'tools/bom':
      return [{ kind: 'removeBom' }]
    case 'profile/unknown-placeholder':
      return [{ kind: 'makeHeading' }, { kind: 'removeLine' }]
    default:
      return [...replace, ...remove]
  }
}
