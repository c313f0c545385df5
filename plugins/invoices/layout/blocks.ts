import type { Paper, Read } from './document.js'
import { textOf } from './rows.js'
import type { Box, Row } from './types.js'

/** Text on one line of a block. */
export interface TextLine extends Box {
  readonly read: Read
  readonly row: Row
  readonly text: string
  readonly size: number
}

/** Consecutive lines that belong together by their edges and sizes. */
export interface Block {
  readonly lines: TextLine[]
}

/** Blocks that a line may still join. */
const OPEN = 24

export function linesIn(read: Read): TextLine[] {
  return read.segments.map((row) => {
    const { left, right, top, bottom, size } = row
    return { read, row, text: textOf(row.tokens), left, right, top, bottom, size }
  })
}

/** The blocks of text of a page, from top to bottom. */
export function blocksOf(paper: Paper, page: number): Block[] {
  const blocks: Block[] = []
  for (const read of paper.rows) {
    if (read.row.page !== page) continue
    for (const line of linesIn(read)) {
      const block = blocks.slice(-OPEN).findLast(({ lines }) => follows(lines.at(-1), line))
      if (block === undefined) blocks.push({ lines: [line] })
      else block.lines.push(line)
    }
  }
  return blocks
}

/** Lines under a label that form their own block, as long as they follow closely. */
export function column(paper: Paper, from: Box & { readonly read: Read }, { left, size }: { left: number; size: number }): TextLine[] {
  const lines: TextLine[] = []
  let bottom = from.bottom
  for (const read of paper.rows.slice(from.read.at + 1, from.read.at + 14)) {
    if (read.row.page !== from.read.row.page || read.row.top - bottom > (lines.length === 0 ? 2.4 : 1.1) * size) break
    const line = linesIn(read).find(
      (each) => Math.abs(each.left - left) < 1.6 * size || (each.left < left && each.right > left + size && each.left > left - 3 * size),
    )
    if (line === undefined) continue
    lines.push(line)
    bottom = line.bottom
  }
  return lines
}

function follows(before: TextLine | undefined, line: TextLine): boolean {
  if (before === undefined) return false
  const gap = line.top - before.bottom
  const size = Math.max(before.size, line.size)
  if (gap > 0.95 * size || gap < -0.5 * size || line.read === before.read) return false
  if (Math.max(before.size, line.size) > 1.35 * Math.min(before.size, line.size)) return false
  const overlap = Math.min(before.right, line.right) - Math.max(before.left, line.left)
  if (overlap <= 0) return false
  const middle = Math.abs(before.left + before.right - line.left - line.right) / 2
  return Math.abs(before.left - line.left) < 0.7 * size || Math.abs(before.right - line.right) < 0.5 * size || middle < 0.8 * size
}
