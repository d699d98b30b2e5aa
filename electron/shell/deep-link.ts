import { LINK_SCHEME } from '../contract/constants.ts'

/** Longer names than the Hub gives (96 characters each); what is longer is no name. */
const MAX_LENGTH = 300

/**
 * The names are those that a Space can be installed by. No address parser: what it would repair (`..`, `%2f`, tabs,
 * upper case, a password) has no business in a link of ours, so that nothing but the plain form is taken.
 */
const LINK = new RegExp(`^${LINK_SCHEME}://space/([A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*)$`)

/** Whether a word of a command line is meant as a link of ours, well made or not. */
const isLink = (word: string): boolean => word.slice(0, LINK_SCHEME.length + 1).toLowerCase() === `${LINK_SCHEME}:`

/** The Space (`owner/name`) of `reachy-mini-companion://space/owner/name`; `null` for anything else. */
export function spaceOfLink(text: string): string | null {
  return text.length > MAX_LENGTH ? null : (LINK.exec(text)?.[1] ?? null)
}

/** The link that the system put on a command line; of several the first, since nobody can have clicked two. */
export const linkAmong = (argv: readonly string[]): string | null => argv.find(isLink) ?? null

export interface Links {
  /** A link came in, from a command line or from the system. */
  arrive(text: string): void
  /** From here on the window can be told, and what is wrong be logged. */
  connect(to: { open: (space: string) => void; refuse: (text: string) => void }): void
  /** The Space that the page has not been told of, once. The page hears of later ones at once. */
  take(): string | null
  /** The page begins anew, and asks again. */
  pageGone(): void
}

/**
 * Keeps what a link names until the page asks for it, then hands over each at once. A link names a Space to show: it
 * never installs, runs or opens anything, and what else it carries makes it no link.
 */
export function createLinks(): Links {
  const early: string[] = []
  let target: Parameters<Links['connect']>[0] | undefined
  let kept: string | null = null
  let listening = false

  const arrive = (text: string): void => {
    if (target === undefined) {
      early.push(text)
      return
    }
    const space = spaceOfLink(text)
    if (space === null) target.refuse(text)
    else if (listening) target.open(space)
    else kept = space
  }
  return {
    arrive,
    connect(to) {
      target = to
      early.splice(0).forEach(arrive)
    },
    take() {
      const space = kept
      kept = null
      listening = true
      return space
    },
    pageGone() {
      listening = false
    },
  }
}
