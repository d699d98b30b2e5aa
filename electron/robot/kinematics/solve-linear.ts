/**
 * Solves A·x = b for six unknowns by Gaussian elimination with row pivoting. `a` (row major) is used up, `b` becomes x.
 * Answers false when the matrix is singular. Nothing is allocated.
 */
export function solveLinear6(a: Float64Array, b: Float64Array): boolean {
  const n = 6
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(a[n * row + column] as number) > Math.abs(a[n * pivot + column] as number)) pivot = row
    }
    const head = a[n * pivot + column] as number
    if (!(Math.abs(head) > 1e-12)) return false
    if (pivot !== column) {
      for (let k = column; k < n; k++) {
        const swap = a[n * column + k] as number
        a[n * column + k] = a[n * pivot + k] as number
        a[n * pivot + k] = swap
      }
      const swap = b[column] as number
      b[column] = b[pivot] as number
      b[pivot] = swap
    }
    for (let row = column + 1; row < n; row++) {
      const factor = (a[n * row + column] as number) / head
      for (let k = column + 1; k < n; k++) {
        a[n * row + k] = (a[n * row + k] as number) - factor * (a[n * column + k] as number)
      }
      b[row] = (b[row] as number) - factor * (b[column] as number)
    }
  }
  for (let row = n - 1; row >= 0; row--) {
    let sum = b[row] as number
    for (let k = row + 1; k < n; k++) sum -= (a[n * row + k] as number) * (b[k] as number)
    b[row] = sum / (a[n * row + row] as number)
  }
  return true
}
