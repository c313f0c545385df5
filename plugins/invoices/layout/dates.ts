import type { Field } from './lexicon/labels.js'
import { later, type Dated } from './date.js'
import type { Paper, Read } from './document.js'
import { below, hitsOf, type Hit } from './labels.js'
import type { Language } from './types.js'

interface Choice {
  readonly dated: Dated
  readonly read: Read
  readonly score: number
}

const LONGEST_TERM = 200

/** Date and due date in ISO 8601, by their labels; the order of day and month follows language and currency. */
export function dateAndDue(paper: Paper, currency: string | null): { date: string | null; due: string | null } {
  const others = choices(paper, 'otherDate')
  const dues = choices(paper, 'due').filter((due) => !others.some((other) => isSame(other, due) && other.score > due.score))
  const dates = choices(paper, 'date').filter(
    (date) => ![...others, ...dues].some((other) => isSame(other, date) && other.score >= date.score),
  )
  const due = dues[0]
  const date = dates.find((each) => due === undefined || !isSame(each, due)) ?? unlabelled(paper, [...others, ...dues])
  const monthFirst = isMonthFirst(paper, currency)
  return inOrder(date?.dated ?? null, due?.dated ?? null, monthFirst)
}

/** A due date is not before the date, and not long after it; when the usual order contradicts that, the other one applies. */
function inOrder(date: Dated | null, due: Dated | null, monthFirst: boolean): { date: string | null; due: string | null } {
  const read = (dated: Dated | null, swap: boolean): string | null =>
    dated === null ? null : swap ? (dated.swapped ?? dated.iso) : dated.iso
  const orders = [monthFirst, !monthFirst].map((swap) => ({ date: read(date, swap), due: read(due, swap) }))
  const [usual] = orders
  if (usual?.date == null || usual.due === null) return usual ?? { date: null, due: null }
  return (
    orders.find((each) => each.date !== null && each.due !== null && each.due >= each.date && each.due <= later(each.date, LONGEST_TERM)) ??
    usual
  )
}

function isMonthFirst({ language, rows }: Paper, currency: string | null): boolean {
  const written = rows.flatMap(({ row, dates }) =>
    dates.filter(({ swapped }) => swapped === null).map(({ from }) => row.tokens[from]?.text ?? ''),
  )
  for (const text of written) {
    const [, first, second] = /^(\d{1,2})[./-](\d{1,2})[./-]\d/.exec(text) ?? []
    if (Number(first) > 12) return false
    if (Number(second) > 12) return true
  }
  const english: readonly (Language | null)[] = ['en', null]
  if (!english.includes(language) || (currency !== 'USD' && currency !== 'CAD')) return false
  return !rows.some(({ row, dates }) => dates.some(({ from }) => /^\d{1,2}\.\d/.test(row.tokens[from]?.text ?? '')))
}

function choices(paper: Paper, field: Field): Choice[] {
  return hitsOf(paper, field)
    .flatMap((hit) => choicesOf(paper, hit))
    .sort((one, two) => two.score - one.score || one.read.at - two.read.at)
}

function choicesOf(paper: Paper, hit: Hit): Choice[] {
  const { read, to, length } = hit
  const strength = hit.exact * Math.min(1, 0.5 + length / 16) + (hit.apart ? 0.15 : 0) - hit.read.row.page * 0.1
  const next = read.labels.find((label) => label.from >= to && label.length > 3)
  const right = read.dates.find(({ from }) => from >= to && from < (next?.from ?? Infinity))
  const near = right === undefined ? Infinity : (read.row.tokens[right.from]?.left ?? 0) - hit.right
  if (right !== undefined && (length > 3 || near < 1.5 * read.row.size || (hit.apart && right.from === to)))
    return [{ dated: right, read, score: strength + 0.4 - Math.min(0.4, near / 1_500) }]
  if ((length <= 3 && read.labels.length < 2) || !hit.apart) return []
  return below(paper, hit)
    .slice(0, 2)
    .flatMap(({ read: lower, tokens }, rows) => {
      const dated = lower.dates.find(({ from }) => tokens.some((token) => token === lower.row.tokens[from]))
      return dated === undefined ? [] : [{ dated, read: lower, score: strength + 0.3 - rows * 0.15 }]
    })
}

/** The topmost date without another meaning. */
function unlabelled(paper: Paper, claimed: readonly Choice[]): Choice | null {
  for (const read of paper.rows)
    for (const dated of read.dates) {
      const choice = { dated, read, score: 0 }
      if (!claimed.some((each) => isSame(each, choice))) return choice
    }
  return null
}

function isSame(one: Choice, two: Choice): boolean {
  return one.read === two.read && one.dated.from === two.dated.from
}
