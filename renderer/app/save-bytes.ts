/** Time that the system's dialog has to take the bytes over, in milliseconds. */
const KEPT_MS = 60_000

/** Offers some bytes for saving; the system asks where. */
export function saveBytes(name: string, content: { mimeType: string } & ({ data: string } | { text: string })): void {
  const part = 'text' in content ? content.text : Uint8Array.from(atob(content.data), (char) => char.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([part], { type: content.mimeType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
