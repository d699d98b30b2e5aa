import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../app/format.ts'

import type { FieldProblem, FormField } from './schema-form.ts'

const MOST_DIGITS = 6

/** What a field takes, in few words: "whole number, 0 or more, needed". */
export function useFieldWords(): { hint: (field: FormField) => string; problem: (problem: FieldProblem) => string } {
  const { t, i18n } = useTranslation('detail')
  const number = (value: number): string =>
    Number.isInteger(value)
      ? formatNumber(i18n.language, value)
      : new Intl.NumberFormat(i18n.language, { maximumFractionDigits: MOST_DIGITS }).format(value)

  const kind = ({ control }: FormField): string => {
    switch (control.kind) {
      case 'text':
        if (control.maxLength !== undefined)
          return t('try.kinds.upTo', { kind: t('try.kinds.text'), limit: number(control.maxLength) })
        if (control.format === undefined) return t('try.kinds.text')
        if (/url|uri|file/i.test(control.format)) return t('try.kinds.address')
        return t('try.kinds.formatted', { kind: t('try.kinds.text'), format: control.format.slice(0, 40) })
      case 'choice':
        return t('try.kinds.choice', { count: control.options.length })
      case 'number': {
        const word = control.whole ? t('try.kinds.whole') : t('try.kinds.number')
        const { min, max } = control
        if (min !== undefined && max !== undefined)
          return t('try.kinds.between', { kind: word, min: number(min), max: number(max) })
        if (min !== undefined) return t('try.kinds.atLeast', { kind: word, min: number(min) })
        return max === undefined ? word : t('try.kinds.atMost', { kind: word, max: number(max) })
      }
      case 'switch':
        return t('try.kinds.switch')
      case 'list':
        return control.of === 'text' ? t('try.kinds.lines') : t('try.kinds.linesNumber')
      case 'json':
        return control.shape === 'any' ? t('try.kinds.json') : t(`try.kinds.${control.shape}`)
    }
  }
  return {
    hint: (field) => (field.required ? `${kind(field)}, ${t('try.needed')}` : kind(field)),
    problem: (problem) =>
      'limit' in problem
        ? t(`try.problems.${problem.reason}`, { limit: number(problem.limit) })
        : t(`try.problems.${problem.reason}`),
  }
}
