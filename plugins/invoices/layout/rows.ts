import { folded } from './fold.js'
import type { Box, Page, Row, Token, Word } from './types.js'

/** Most words read per page. */
const MAX_WORDS = 6_000
/** Most words read per row, from the left. */
const MAX_ROW_WORDS = 150
/** Rows above that are compared. */
const OPEN_ROWS = 4
/** Words further apart than this many heights belong to different columns. */
const COLUMN_GAP = 1

/** The rows of a page from top to bottom, words from left to right, regardless of drawing order. */
export function rowsOf(page: Page): Row[] {
  const words = withoutSpecks(page.words.slice(0, MAX_WORDS).filter(isText))
  const slope = slopeOf(words)
  const tokens = words.flatMap((word) => tokensOf(word, slope))
  tokens.sort((one, two) => one.top + one.bottom - two.top - two.bottom)
  const rows: OpenRow[] = []
  for (const token of tokens) {
    const row = rows.slice(-OPEN_ROWS).find((each) => isBeside(each, token))
    if (row === undefined) rows.push({ tokens: [token], top: token.top, bottom: token.bottom })
    else join(row, token)
  }
  return rows
    .map((row) => withoutRules(rowOf(whole(row.tokens).slice(0, MAX_ROW_WORDS), page.page)))
    .filter(({ tokens: kept }) => kept.length > 0)
    .sort((one, two) => one.top + one.bottom - two.top - two.bottom)
}

/** The groups of tokens of a row with wide gaps between them. */
export function segmentsOf(row: Row, gap = COLUMN_GAP): Row[] {
  const groups: Token[][] = []
  for (const token of row.tokens) {
    const before = groups.at(-1)?.at(-1)
    if (before === undefined || token.left - before.right > gap * row.size) groups.push([token])
    else groups.at(-1)?.push(token)
  }
  return groups.map((tokens) => rowOf(tokens, row.page))
}

/** The text of tokens, with single spaces. */
export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ text }) => text)
    .join(' ')
    .replace(/ ([,;.:)])(?= |$)/g, '$1')
    .trim()
}

export function rowOf(tokens: readonly Token[], page: number): Row {
  const inOrder = [...tokens].sort((one, two) => one.left - two.left)
  const heights = inOrder.map(({ top, bottom }) => bottom - top).sort((one, two) => one - two)
  return { page, tokens: inOrder, size: heights[Math.floor(heights.length * 0.7)] ?? 10, ...around(inOrder) }
}

export function around(boxes: readonly Box[]): Box {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const { left, right, top, bottom } of boxes) {
    box.left = Math.min(box.left, left)
    box.right = Math.max(box.right, right)
    box.top = Math.min(box.top, top)
    box.bottom = Math.max(box.bottom, bottom)
  }
  return box
}

interface OpenRow {
  readonly tokens: Token[]
  top: number
  bottom: number
}

/** Excludes rules and specks of a scan. */
function isText({ text, width, height }: Word): boolean {
  return width > 0 && height > 0 && height < 120 && /[\p{L}\p{N}\p{Sc}%#&()+·•∙●■|–—-]/u.test(text)
}

/** Removes artefacts of rules, pictures and dirt: low confidence, and unusually tall or short. */
function withoutSpecks(words: readonly Word[]): Word[] {
  const heights = words.map(({ height }) => height).sort((one, two) => one - two)
  const usual = heights[Math.floor(heights.length / 2)] ?? 10
  return words.filter(({ text, height, confidence = 1 }) => {
    if (height > 2.6 * usual && confidence < 0.6) return false
    return confidence >= 0.3 || text.length > 3 || /\d/.test(text)
  })
}

/** Joins words that were split at a ligature: `of`, `fi`, `ce` without gaps. */
function whole(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (const token of [...tokens].sort((one, two) => one.left - two.left)) {
    const before = joined.at(-1)
    const isLigature =
      before !== undefined && (/(?:ff|fi|fl|ffi|ffl|tt|ti)$/.test(before.text) || /^(?:ff|fi|fl|ffi|ffl|tt|ti)/.test(token.text))
    if (before === undefined || !isLigature || Math.abs(token.left - before.right) > 0.05 * (token.bottom - token.top)) joined.push(token)
    else joined[joined.length - 1] = { ...before, text: before.text + token.text, folded: before.folded + token.folded, right: token.right }
  }
  return joined
}

/** A bar with words on both sides is punctuation, any other a table rule. */
function withoutRules(row: Row): Row {
  const { tokens, size } = row
  const kept = tokens.filter(({ text, left, right }, at) => {
    if (!/^[|–—-]+$/.test(text)) return true
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    return before !== undefined && after !== undefined && left - before.right < size && after.left - right < size
  })
  return kept.length === tokens.length ? row : rowOf(kept, row.page)
}

/** A colon, and the text directly after it, start separate words. */
function tokensOf({ text, x, y, width, height }: Word, slope: number): Token[] {
  const trimmed = text.trim().slice(0, 100)
  const parts = /\d[\u00a0\u202f\u2009]\d/.test(trimmed)
    ? trimmed.split(/[\u00a0\u202f\u2009]/)
    : /^[\p{L}.°º#& -]{2,}:[^\s:/]/u.test(trimmed)
      ? trimmed.split(/(?<=:)/)
      : /^\d{1,4}[x×*]\d+[.,]\d{2}$/.test(trimmed)
        ? trimmed.split(/(?<=[x×*])|(?=[x×*])/)
        : trimmed.split(/(?<=[|])|(?=[|])/)
  const letters = Math.max(1, trimmed.length)
  const top = y - slope * (x + width / 2)
  let start = 0
  return parts.flatMap((part) => {
    const left = x + (width * start) / letters
    start += part.length
    if (part === '') return []
    return [{ text: part, folded: folded(part), left, right: x + (width * start) / letters, top, bottom: top + height }]
  })
}

function isBeside(row: OpenRow, token: Token): boolean {
  const overlap = Math.min(row.bottom, token.bottom) - Math.max(row.top, token.top)
  return overlap > 0.5 * Math.min(row.bottom - row.top, token.bottom - token.top)
}

/** The position of a row is the mean of its words, so that a large word does not attract others. */
function join(row: OpenRow, token: Token): void {
  const count = row.tokens.length
  row.top = (row.top * count + token.top) / (count + 1)
  row.bottom = (row.bottom * count + token.bottom) / (count + 1)
  row.tokens.push(token)
}

/** The slope of lines per point to the right: the remaining skew of a scan. */
function slopeOf(words: readonly Word[]): number {
  const lines = new Map<number, [Word, Word]>()
  for (const word of words) {
    const [first] = lines.get(word.line) ?? [word]
    lines.set(word.line, [first, word])
  }
  const slopes = [...lines.values()]
    .filter(([first, last]) => last.x - first.x > 120 && Math.abs(last.y - first.y) < 0.06 * (last.x - first.x))
    .map(([first, last]) => (last.y + last.height - first.y - first.height) / (last.x - first.x))
    .sort((one, two) => one - two)
  const middle = slopes[Math.floor(slopes.length / 2)] ?? 0
  return slopes.length >= 4 && Math.abs(middle) > 0.001 ? middle : 0
}
