import type { Field } from './lexicon/labels.js'
import type { Paper, Read } from './document.js'
import type { Match } from './lexicon.js'
import { around } from './rows.js'
import type { Box, Token } from './types.js'

/** A label and its position. */
export interface Hit extends Box {
  readonly read: Read
  readonly from: number
  readonly to: number
  readonly fields: ReadonlySet<Field>
  readonly length: number
  readonly exact: number
  /** A colon follows, or nothing else is beside it. */
  readonly apart: boolean
}

/** Maximum rows between a label and its value below. */
const ROWS_BELOW = 4

/** All labels of the document with one of these meanings. */
export function hitsOf(paper: Paper, ...fields: readonly Field[]): Hit[] {
  return paper.rows.flatMap((read) =>
    read.labels.flatMap((match) => (fields.some((field) => match.meaning.has(field)) ? [hitOf(read, match)] : [])),
  )
}

export function hitOf(read: Read, { from, to, meaning, length, exact }: Match<Field>): Hit {
  const tokens = read.row.tokens.slice(from, to)
  const [before, after, last] = [read.row.tokens[from - 1], read.row.tokens[to], tokens.at(-1)]
  const box = around(tokens)
  const wide = 1.1 * read.row.size
  const begins = before === undefined || box.left - before.right > wide
  const ends = after === undefined || after.left - box.right > wide || /[:.]$/.test(last?.text ?? '') || after.text === ':'
  return { read, from, to, fields: new Set(meaning.keys()), length, exact, apart: begins && ends, ...box }
}

/** Tokens to the right of a label, up to the next label. */
export function rightOf({ read, from, to }: Hit): Token[] {
  const next = read.labels.find((label) => label.from >= to && label.from > from && isStop(read, label))
  const tokens = read.row.tokens.slice(to, next?.from)
  while (tokens[0] !== undefined && /^[:.#\-–]+$/.test(tokens[0].text)) tokens.shift()
  return tokens
}

/** A short word inside a value, such as a letter of a number, is not a label. */
function isStop(read: Read, { from, to, length }: Match<Field>): boolean {
  if (length >= 4) return true
  const [before, first, last] = [read.row.tokens[from - 1], read.row.tokens[from], read.row.tokens[to - 1]]
  if (first === undefined || last === undefined) return false
  return (
    /:$/.test(last.text) ||
    (length >= 2 && (before === undefined || first.left - before.right > read.row.size)) ||
    /^[a-zé]/.test(first.text)
  )
}

/** The first tokens in the column below a label, row by row. */
export function below(paper: Paper, hit: Hit): { read: Read; tokens: readonly Token[] }[] {
  const found: { read: Read; tokens: readonly Token[] }[] = []
  const { row, at } = hit.read
  const box = groupOf(hit)
  for (let next = at + 1; next <= at + ROWS_BELOW; next++) {
    const read = paper.rows[next]
    if (read === undefined || read.row.page !== row.page || read.row.top - hit.bottom > 3 * row.size) break
    const segment = read.segments.find((each) => isUnder(box, each, row.size))
    if (segment !== undefined) found.push({ read, tokens: segment.tokens })
  }
  return found
}

/** A label with the rest of its word group, such as a rate or a currency. */
function groupOf(hit: Hit): Box {
  const { read, left, right } = hit
  const group = read.segments.find((each) => each.left <= left + 0.1 && each.right >= right - 0.1)
  const others = read.labels.filter(({ from, length }) => from !== hit.from && length > 3 && inside(read.row.tokens[from], group))
  return group === undefined || others.length > 0 ? hit : group
}

function inside(token: Token | undefined, box: Box | undefined): boolean {
  return token !== undefined && box !== undefined && token.left >= box.left - 0.1 && token.right <= box.right + 0.1
}

function isUnder(hit: Box, box: Box, size: number): boolean {
  const overlap = Math.min(hit.right, box.right) - Math.max(hit.left, box.left)
  const middle = Math.abs(hit.left + hit.right - box.left - box.right) / 2
  return overlap > 0 && (Math.abs(hit.left - box.left) < 2 * size || Math.abs(hit.right - box.right) < 2 * size || middle < 2 * size)
}
