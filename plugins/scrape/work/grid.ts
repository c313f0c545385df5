/** A table cell with its spans. */
export interface SpanningCell {
  readonly value: string
  readonly across: number
  readonly down: number
}

export interface GridOptions {
  readonly columns: number
  /** Maximum positions covered by spanning cells together; beyond them a cell covers one. */
  readonly places: number
  /** Content of covered positions: the value again, or nothing. */
  readonly covered: 'repeat' | 'blank'
}

/** Cells in their columns (HTML, 4.9.12.1). Time is proportional to cells and `places`, whatever the spans claim. */
export function gridOf(rows: readonly (readonly SpanningCell[])[], { columns, places, covered }: GridOptions): string[][] {
  const grid: string[][] = rows.map(() => [])
  const taken = rows.map(() => new Set<number>())
  let left = places
  rows.forEach((row, at) => {
    let column = 0
    for (const cell of row) {
      while (taken[at]?.has(column) === true) column += 1
      const across = Math.min(cell.across, columns - Math.min(column, columns - 1))
      const down = Math.min(cell.down, rows.length - at)
      const fits = across * down <= left
      left -= fits ? across * down : 1
      for (let y = 0; y < (fits ? down : 1); y += 1)
        for (let x = 0; x < (fits ? across : 1); x += 1) {
          taken[at + y]?.add(column + x)
          const line = grid[at + y]
          if (line === undefined || (y > 0 && covered === 'blank')) continue
          while (line.length < column + x) line.push('')
          line[column + x] = covered === 'repeat' || x === 0 ? cell.value : ''
        }
      column += fits ? across : 1
    }
  })
  return grid
}
