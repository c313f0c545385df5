import type { Page } from '../../plugins/invoices/layout/types.js'

type Word = Page['words'][number]

/** Text whose left edge is at x; its baseline is at y. */
export type PlacedLine = readonly [x: number, y: number, text: string]

/** A page of lines at their places, in points; each word is as wide as its letters are many. With `confidence` the words count as recognised. */
export function pageOf(
  lines: readonly PlacedLine[],
  { page = 1, size = 10, confidence }: { page?: number; size?: number; confidence?: number } = {},
): Page {
  const words = lines.flatMap(([x, y, text], line): Word[] => {
    let left = x
    return text.split(' ').map((word) => {
      const placed = { text: word, x: left, y, width: word.length * size * 0.5, height: size, line: y, block: line }
      left += placed.width + size * 0.3
      return confidence === undefined ? placed : { ...placed, confidence }
    })
  })
  return { page, width: 595, height: 842, words }
}

/** Cells of rows 16 points apart, at the left edges of columns. */
export function tableAt(top: number, edges: readonly number[], rows: readonly (readonly string[])[]): PlacedLine[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, at): PlacedLine[] => (cell === '' ? [] : [[edges[at] ?? 0, top + row * 16, cell]])),
  )
}
