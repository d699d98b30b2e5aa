interface Option<V extends string> {
  value: V
  label: string
  disabled?: boolean | undefined
}

/**
 * Which option a key goes to: arrows, Home, End, or the next one whose label starts with the typed letter. Disabled
 * ones are passed over. `null` when the key means nothing here or nothing fits.
 */
export function nextOption<V extends string>(options: readonly Option<V>[], active: V, key: string): V | null {
  const usable = options.filter((option) => !option.disabled)
  const index = usable.findIndex((option) => option.value === active)
  const at = (i: number): V | null => usable[Math.min(usable.length - 1, Math.max(0, i))]?.value ?? null
  switch (key) {
    case 'ArrowDown':
      return at(index + 1)
    case 'ArrowUp':
      return at(index - 1)
    case 'Home':
      return at(0)
    case 'End':
      return at(usable.length - 1)
    default: {
      if (Array.from(key).length !== 1) return null
      const letter = key.toLocaleLowerCase()
      const rotated = [...usable.slice(index + 1), ...usable.slice(0, index + 1)]
      return rotated.find((option) => option.label.toLocaleLowerCase().startsWith(letter))?.value ?? null
    }
  }
}
