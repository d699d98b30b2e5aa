import { common } from './common.ts'
import { errors } from './errors.ts'

/** Interface languages. English is complete by construction; the others are checked against its keys by the compiler. */
export type StringLanguage = 'en' | 'zh-CN' | 'fr'

/** All texts by language and area; i18next takes each language as one resource. Placeholders are `{{name}}`. */
export const strings = {
  en: { common: common.en, errors: errors.en },
  'zh-CN': { common: common['zh-CN'], errors: errors['zh-CN'] },
  fr: { common: common.fr, errors: errors.fr },
} as const
