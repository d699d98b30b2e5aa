import { useEffect, useState } from 'react'

const TOKENS = {
  shell: '--color-shell',
  shade: '--color-shell-shade',
  eye: '--color-eye',
  iris: '--color-eye-iris',
  glint: '--color-eye-glint',
  joint: '--color-joint',
  rod: '--color-rod',
  foot: '--color-foot',
  antenna: '--color-antenna',
  accent: '--color-accent',
  line: '--color-line-strong',
  ink3: '--color-ink-3',
} as const

export type SceneColours = Record<keyof typeof TOKENS, string>

/** Reads the tokens as plain colours: only a computed `color` resolves light-dark(). */
function readColours(): SceneColours {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const entries = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(entries) as SceneColours
}

/** The puppet's colours, read again whenever the theme changes. */
export function useSceneColours(): SceneColours {
  const [colours, setColours] = useState(readColours)
  useEffect(() => {
    const read = (): void => setColours(readColours())
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((query) =>
      window.matchMedia(query),
    )
    for (const query of queries) query.addEventListener('change', read)
    return () => {
      observer.disconnect()
      for (const query of queries) query.removeEventListener('change', read)
    }
  }, [])
  return colours
}
