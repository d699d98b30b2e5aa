export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Where an arrow key leads from one of many boxes that lie in rows: left and right in reading order, up and down to
 * the nearest box of the next row. `null`: the key is no arrow, Home or End, or there is nothing on that side.
 */
export function neighbour(boxes: readonly Box[], index: number, key: string): number | null {
  const from = boxes[index]
  if (!from) return null
  switch (key) {
    case 'ArrowLeft':
      return index > 0 ? index - 1 : null
    case 'ArrowRight':
      return index < boxes.length - 1 ? index + 1 : null
    case 'Home':
      return 0
    case 'End':
      return boxes.length - 1
    case 'ArrowUp':
    case 'ArrowDown':
      return inRow(boxes, from, key === 'ArrowDown' ? 1 : -1)
    default:
      return null
  }
}

function inRow(boxes: readonly Box[], from: Box, direction: 1 | -1): number | null {
  const beyond = boxes
    .map((box, i) => ({ i, down: (box.top - from.top) * direction, aside: Math.abs(box.left - from.left) }))
    .filter(({ down }) => down > from.height / 2)
  const row = Math.min(...beyond.map(({ down }) => down))
  const candidates = beyond.filter(({ down }) => down - row < from.height / 2)
  return candidates.sort((a, b) => a.aside - b.aside)[0]?.i ?? null
}
