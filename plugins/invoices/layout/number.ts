import type { Paper } from './document.js'
import { below, hitsOf, rightOf, type Hit } from './labels.js'
import { textOf } from './rows.js'
import type { Token } from './types.js'

/** Parts of an id. */
const PART = /^[\p{L}\p{N}][\p{L}\p{N}\-–/._#\\]*$/u
const PREFIX = /^[\p{Lu}]{1,6}[\p{L}]?[-./]?$/u
const DATE = /^\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})$/

/** The invoice number by the best of its labels. */
export function numberOf(paper: Paper): string | null {
  let best: { text: string; score: number } | null = null
  for (const hit of hitsOf(paper, 'number')) {
    for (const { text, score } of valuesOf(paper, hit)) {
      // Other things being equal, the upper one is used.
      const total = score - hit.read.at / 10_000
      if (best === null || total > best.score) best = { text, score: total }
    }
  }
  return best?.text ?? besideDate(paper)
}

/** Without a recognised label: an id among the document's facts, above or below its date. */
function besideDate(paper: Paper): string | null {
  const dates = hitsOf(paper, 'date', 'due').flatMap(({ read, to }) => {
    const dated = read.dates.find(({ from }) => from >= to)
    const token = dated === undefined ? undefined : read.row.tokens[dated.from]
    return token === undefined ? [] : [{ read, left: token.left }]
  })
  for (const { read, left } of dates.slice(0, 3))
    for (const { row, segments, labels, dates: own } of paper.rows.slice(Math.max(0, read.at - 6), read.at + 5)) {
      const segment = segments.find((each) => Math.abs(each.left - left) < row.size)
      if (segment === undefined || own.length > 0 || labels.some(({ meaning, length }) => meaning.has('other') && length > 3)) continue
      const id = idOf(segment.tokens, row.size)
      if (id !== null && id.replace(/\D/g, '').length >= 3) return id
    }
  return null
}

function valuesOf(paper: Paper, hit: Hit): { text: string; score: number }[] {
  const strength =
    hit.exact * (hit.length >= 8 ? 1 : 0.55) + (hit.fields.size === 1 ? 0.1 : 0) + (hit.apart ? 0.1 : 0) - (hit.read.row.page > 1 ? 0.3 : 0)
  const values: { text: string; score: number }[] = []
  const size = hit.read.row.size
  const right = rightOf(hit)
  const text = idOf(right, size)
  const isFar = (right[0]?.left ?? 0) - hit.right > 1.5 * size
  if (text !== null && (!isFar || isAlone(right, text)))
    values.push({ text, score: strength + 0.4 + worth(text) - ((right[0]?.left ?? 0) - hit.right > 20 * size ? 0.5 : 0) })
  for (const [at, { read, tokens }] of below(paper, hit).slice(0, 2).entries()) {
    if (read.labels.some(({ from, length }) => length > 3 && tokens[0] === read.row.tokens[from])) continue
    const id = idOf(tokens, size)
    // More words on the line mean something else, such as a street.
    if (id !== null && hit.apart && isAlone(tokens, id)) values.push({ text: id, score: strength + 0.25 - at * 0.1 + worth(id) })
  }
  return values
}

/** Whether no other word follows. */
function isAlone(tokens: readonly Token[], id: string): boolean {
  return textOf(tokens).replace(/\P{L}/gu, '').length <= id.replace(/\P{L}/gu, '').length
}

function worth(text: string): number {
  const digits = text.replace(/\D/g, '').length
  if (DATE.test(text)) return -0.6
  if (/^(?:19|20)\d{2}$/.test(text)) return -0.3
  return digits >= 3 ? 0.1 : digits === 0 ? -1 : -0.1
}

/** The id at the start of the tokens, or null. */
function idOf(tokens: readonly Token[], size: number): string | null {
  const parts: Token[] = []
  for (const token of tokens) {
    const before = parts.at(-1)
    if (before !== undefined && token.left - before.right > 0.9 * size) break
    const text = clean(token.text)
    const bare = parts.map((part) => clean(part.text)).join('')
    if (before === undefined ? !PART.test(text) && text !== '#' : !goesOn(bare, text)) break
    parts.push(token)
    if (/[,;]$/.test(token.text)) break
  }
  const text = textOf(parts.map((part) => ({ ...part, text: clean(part.text) })))
    .replace(/^[#:]\s*/, '')
    .replace(/\s*([/-])\s*/g, '$1')
  return /\d/.test(text) && text.length <= 40 && !/^\d{1,2}$/.test(text.replace(/\D/g, ''))
    ? text
    : /^\D{0,5}\d{1,2}$/.test(text)
      ? text
      : null
}

function goesOn(bare: string, text: string): boolean {
  if (DATE.test(text) || !/^[\p{Lu}\d\-–/._]+$/u.test(text)) return false
  if (/^[-/–]$/.test(text) || /[-/–]$/.test(bare) || /^[-/]/.test(text)) return true
  return (PREFIX.test(bare) && /\d/.test(text)) || (/^[\p{Lu}\d]{1,6}$/u.test(bare) && /^[\p{Lu}]{0,3}\d+\/\d+$/u.test(text))
}

function clean(text: string): string {
  return text.replace(/^[("„“]+|[)"“”.,;:]+$/g, '')
}
