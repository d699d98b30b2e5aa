import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

import { strings } from '../../electron/strings/index.ts'

import type { Language } from '../../electron/contract/index.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: (typeof strings)['en']
    returnNull: false
  }
}

/** Prepares the texts; all languages are in the bundle, so that switching needs no reading. */
export async function startI18n(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'common',
    resources: strings,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  document.documentElement.lang = language
}

/** Shows everything in another language at once. */
export async function switchLanguage(language: Language): Promise<void> {
  if (i18next.language === language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
