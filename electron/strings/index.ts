import { brain } from './brain.ts'
import { chat } from './chat.ts'
import { common } from './common.ts'
import { desktop } from './desktop.ts'
import { detail } from './detail.ts'
import { editor } from './editor.ts'
import { errors } from './errors.ts'
import { exchange } from './exchange.ts'
import { keep } from './keep.ts'
import { local } from './local.ts'
import { profiles } from './profiles.ts'
import { robot } from './robot.ts'
import { servers } from './servers.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { spaces } from './spaces.ts'
import { tools } from './tools.ts'
import { trust } from './trust.ts'

/** Interface languages. English is complete by construction; the others are checked against its keys by the compiler. */
export type StringLanguage = 'en' | 'zh-CN' | 'fr'

const AREAS = {
  brain,
  chat,
  common,
  desktop,
  detail,
  editor,
  errors,
  exchange,
  keep,
  local,
  profiles,
  robot,
  servers,
  settings,
  shell,
  spaces,
  tools,
  trust,
}

type Areas = typeof AREAS
type Texts<L extends StringLanguage> = { readonly [A in keyof Areas]: Areas[A][L] }

function textsOf<L extends StringLanguage>(language: L): Texts<L> {
  return Object.fromEntries(
    Object.entries(AREAS).map(([area, texts]) => [area, texts[language]]),
  ) as unknown as Texts<L>
}

/** All texts by language and area; i18next takes each area as one namespace. Placeholders are `{{name}}`. */
export const strings: { readonly [L in StringLanguage]: Texts<L> } = {
  en: textsOf('en'),
  'zh-CN': textsOf('zh-CN'),
  fr: textsOf('fr'),
}

export { fill } from './fill.ts'
export { errorWords, namedDetails } from './words.ts'
