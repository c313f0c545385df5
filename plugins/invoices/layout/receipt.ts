import { isContact } from './address.js'
import type { Amount } from './amount.js'
import type { Paper, Read } from './document.js'
import type { Line } from './items.js'
import { textOf } from './rows.js'
import { isSummary } from './summary.js'

const MAX_LINES = 300
/** Quantity units, and the separators before the unit price. */
const UNITS = 'st|stk|stck|pcs?|ea|szt|uds?|pz|kg|kpl|kom|ks|db|buc|ad(?:et)?|vnt|tk|gab|шт|τεμ|個|点'
const TIMES = new RegExp(`^(?:[x×*@à]|${UNITS})\\.?$`, 'iu')

/** Lines without headings, as on receipts: a text with an amount at the end, and quantity and price before it or on a separate row. */
export function receiptLines(paper: Paper): Line[] {
  // Currencies without decimals, and tills that omit them, print only whole amounts.
  const places = paper.rows.some(({ amounts }) => amounts.some(({ decimals }) => decimals === 2)) ? 2 : 0
  const right = edgeOf(paper.rows, places)
  const lines: Line[] = []
  let pending: string | null = null
  let times: Times | null = null
  const leads: (number | null)[] = []
  for (const read of paper.rows) {
    if (lines.length >= MAX_LINES || (lines.length > 0 && isSummary(read))) break
    if (isSummary(read) || read.dates.length > 0) {
      pending = null
      continue
    }
    const amounts = read.amounts.filter(({ percent }) => !percent)
    const last = moneyOf(read, places).at(-1)
    const isAtEnd = last !== undefined && last.right > right - 4 * read.row.size
    if (isAtEnd) {
      const own = timesIn(read, amounts, { total: last, places })
      const { text, count, lead } = textBefore(read, own, moneyOf(read, places))
      const isContinued = text.length < 2 && own !== null
      const previous = lines.at(-1)
      if (isContinued && pending === null && previous !== undefined && previous.price === null && previous.amount === last.value) {
        lines[lines.length - 1] = { ...previous, quantity: own.quantity, quantities: own.quantities, price: own.price }
        continue
      }
      const description = /\p{L}{2}/u.test(text) ? text : pending
      if (description !== null) {
        lines.push(lineOf(read, { description, amount: last.value, times: own ?? times, count }))
        leads.push(lead)
      }
      pending = null
      times = null
      continue
    }
    const alone = last === undefined ? null : timesIn(read, amounts, { total: null, places })
    const previous = lines.at(-1)
    const more = previous === undefined || pending !== null ? null : continued(previous, read, places)
    if (previous !== undefined && more !== null) lines[lines.length - 1] = more
    else if (alone === null) pending = last === undefined ? headingOf(read, pending) : pending
    else if (previous !== undefined && previous.price === null && Math.abs(alone.quantity * alone.price - (previous.amount ?? 0)) < 0.02)
      lines[lines.length - 1] = { ...previous, quantity: alone.quantity, quantities: [alone.quantity], price: alone.price }
    else times = alone
  }
  return withLeads(lines, leads)
}

/**
 * Leading numbers are positions when they count from 1, quantities when each divides its amount into whole cents, and
 * otherwise part of the text.
 */
function withLeads(lines: readonly Line[], leads: readonly (number | null)[]): Line[] {
  if (lines.length > 1 && leads.every((lead, at) => lead === at + 1)) return [...lines]
  const divides = (lead: number, { amount }: Line): boolean => lead < 100 && Math.round((amount ?? 0) * 100) % lead === 0
  const areCounts = lines.every((line, at) => leads[at] == null || divides(leads[at], line))
  return lines.map((line, at) => {
    const lead = leads[at] ?? null
    if (lead === null || line.quantity !== null) return line
    return areCounts
      ? { ...line, quantity: lead, quantities: [lead] }
      : { ...line, description: `${String(lead)} ${line.description ?? ''}` }
  })
}

/** A line with its continuation on the next row: the rest of the text and the unit price. */
function continued(line: Line, read: Read, places: number): Line | null {
  const { row } = read
  const [leading] = line.read.row.tokens
  const count = line.quantity ?? (/^\d{1,3}$/.test(leading?.text ?? '') ? Number(leading?.text) : null)
  const last = moneyOf(read, places).at(-1)
  const price = last?.value
  if (row.top - line.read.row.bottom > row.size || count === null || price === undefined || line.price !== null) return null
  if (Math.abs(count * price - (line.amount ?? 0)) > 0.02) return null
  const text = textOf(row.tokens.slice(0, last?.from))
  return {
    ...line,
    description: [line.description, text].filter((part) => part !== null && part !== '').join(' '),
    quantity: count,
    quantities: [count],
    price,
  }
}

/** The text above an amount; empty for other rows. */
function headingOf(read: Read, before: string | null): string | null {
  const text = textOf(read.row.tokens)
  if (isFact(read) || !/\p{L}{3}/u.test(text)) return isFact(read) ? null : before
  return before === null ? text : `${before} ${text}`.slice(-200)
}

/** A row with facts about the document or the shop. */
function isFact({ labels, row }: Read): boolean {
  return (
    labels.some(
      ({ from, to, length, meaning }) =>
        from === 0 &&
        length >= 4 &&
        /:$|\d/.test(
          row.tokens
            .slice(to - 1)
            .map(({ text }) => text)
            .join(' '),
        ) &&
        (meaning.has('other') || meaning.has('number') || meaning.has('date')),
    ) || isContact(textOf(row.tokens))
  )
}

interface Parts {
  readonly description: string
  readonly amount: number
  readonly times: Times | null
  /** A quantity without a price. */
  readonly count: number | null
}

function lineOf(read: Read, { description, amount, times, count }: Parts): Line {
  const fits = times !== null && Math.abs(times.quantity * times.price - amount) < 0.02
  const quantity = fits ? times.quantity : count
  return {
    read,
    description,
    quantity,
    quantities: quantity === null ? [] : [quantity],
    price: fits ? times.price : null,
    ...{
      grossPrice: null,
      discount: null,
      rate: read.amounts.find(({ percent }) => percent)?.value ?? null,
      tax: null,
      net: null,
      gross: null,
    },
    amount,
  }
}

/**
 * The monetary amounts of a row: those with decimals or, on a receipt without any, a separate whole amount at the end
 * or one with a currency.
 */
function moneyOf({ row, amounts }: Read, places: number): Amount[] {
  const isApart = ({ from, left }: Amount): boolean => left - (row.tokens[from - 1]?.right ?? -Infinity) > row.size
  return amounts.filter((amount) =>
    places === 2
      ? amount.decimals === 2
      : !amount.percent && amount.decimals === 0 && amount.to === row.tokens.length && (amount.currency !== null || isApart(amount)),
  )
}

/** The right edge of most amounts. */
function edgeOf(rows: readonly Read[], places: number): number {
  const edges = rows.flatMap((read) => moneyOf(read, places).map(({ right }) => right)).sort((one, two) => one - two)
  return edges[Math.floor(edges.length * 0.75)] ?? Infinity
}

/** `2` or `2x` before a text. */
const FIRST = /^([1-9]\d{0,2})([x×*]?)$/i
/** `x2`, `2x`, `x 2` or `2 pcs` after it; kilograms there are the pack size. */
const LAST = new RegExp(`^(?:[x×*] ?(\\d{1,3})|(\\d{1,3}) ?(?:[x×*]|(?!kg)(?:${UNITS}))\\.?)$`, 'iu')

interface Before {
  readonly text: string
  /** A marked quantity, as in `2 x Tea`, `Tea x2` or `2 pcs Tea`. */
  readonly count: number | null
  /** An unmarked number before the text: a quantity or a position. */
  readonly lead: number | null
}

/** The words before the numbers at the end, and the number before or after them. */
function textBefore({ row }: Read, times: Times | null, money: readonly Amount[]): Before {
  const first = money.find(({ from }) => from > 0)
  const words = row.tokens.slice(0, times !== null && times.from > 0 ? times.from : first?.from)
  const used = [1, 2].find((count) => words.length > count && LAST.test(textOf(words.slice(-count)))) ?? 0
  const [, behind, after = behind] = used === 0 ? [] : (LAST.exec(textOf(words.splice(-used))) ?? [])
  while (words.length > 0 && TIMES.test(words.at(-1)?.text ?? '') && /^[x×*@]/.test(words.at(-1)?.text ?? '')) words.pop()
  const [, before, mark] = words.length > 1 ? (FIRST.exec(words[0]?.text ?? '') ?? []) : []
  if (before !== undefined) words.shift()
  const isMarked = words.length > 1 && TIMES.test(words[0]?.text ?? '')
  if (isMarked) words.shift()
  const [number, count] = [before === undefined ? null : Number(before), after === undefined ? null : Number(after)]
  const counts = isMarked || (mark ?? '') !== ''
  return { text: textOf(words), count: count ?? (counts ? number : null), lead: counts ? null : number }
}

interface Times {
  readonly quantity: number
  readonly quantities: readonly number[]
  readonly price: number
  /** Token at which it begins. */
  readonly from: number
}

/** Quantity and unit price before an amount, or alone. */
function timesIn({ row }: Read, amounts: readonly Amount[], { total, places }: { total: Amount | null; places: number }): Times | null {
  const before = amounts.filter((amount) => amount !== total)
  for (const quantity of before)
    for (const price of before) {
      if (quantity === price || price.from < quantity.from || price.decimals !== places) continue
      const between = row.tokens.slice(quantity.to, price.from)
      const isMarked = between.some(({ text }) => TIMES.test(text)) || /[x×*]$/.test(row.tokens[quantity.to - 1]?.text ?? '')
      const fits = total !== null && Math.abs(quantity.value * price.value - total.value) < 0.02
      if (fits || (total === null && isMarked))
        return { quantity: quantity.value, quantities: [quantity.value], price: price.value, from: quantity.from }
    }
  const [first] = row.tokens
  const [, leading] = /^(\d{1,3}) ?[x×*]?$/.exec(first?.text ?? '') ?? []
  if (leading !== undefined && total !== null && before.length <= 1) {
    const price = before.find(({ decimals }) => decimals === places)?.value
    if (price !== undefined && Math.abs(Number(leading) * price - total.value) < 0.02)
      return { quantity: Number(leading), quantities: [Number(leading)], price, from: 0 }
  }
  return null
}
