/** The keys of a shortcut, e.g. `['Ctrl', '.']`; gone in narrow windows. */
export function KeyCap({ keys }: { keys: readonly string[] }) {
  return (
    <span aria-hidden="true" className="inline-flex gap-0.75 narrow:hidden">
      {keys.map((key) => (
        <kbd
          key={key}
          className="rounded-tick border border-line-strong px-1.25 font-sans text-micro leading-4 text-ink-3"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
