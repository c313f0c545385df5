import { isContact } from './address.js'
import type { Amount } from './amount.js'
import type { Paper, Read } from './document.js'
import type { Line } from './items.js'
import { textOf } from './rows.js'
import { isSummary } from './summary.js'

const MAX_LINES = 300
/** A quantity and what stands between it and the price of one. */
const TIMES = /^(?:[x×*@à]|st|stk|pcs?|szt|uds?|pz|kg)\.?$/i

/** Lines without headings, as on receipts: a text and at the end an amount, with quantity and price before it, or on a row of their own. */
export function receiptLines(paper: Paper): Line[] {
  const right = edgeOf(paper.rows)
  const lines: Line[] = []
  let pending: string | null = null
  let times: Times | null = null
  for (const read of paper.rows) {
    if (lines.length >= MAX_LINES || (lines.length > 0 && isSummary(read))) break
    if (isSummary(read) || read.dates.length > 0) {
      pending = null
      continue
    }
    const amounts = read.amounts.filter(({ percent }) => !percent)
    const last = amounts.findLast(({ decimals }) => decimals === 2)
    const isAtEnd = last !== undefined && last.right > right - 4 * read.row.size
    if (isAtEnd) {
      const own = timesIn(read, amounts, last)
      const text = textBefore(read, own)
      const isContinued = text.length < 2 && own !== null
      const previous = lines.at(-1)
      if (isContinued && pending === null && previous !== undefined && previous.quantity === null && previous.amount === last.value) {
        lines[lines.length - 1] = { ...previous, quantity: own.quantity, quantities: own.quantities, price: own.price }
        continue
      }
      const description = /\p{L}{2}/u.test(text) ? text : pending
      if (description !== null) lines.push(lineOf(read, { description, amount: last.value, times: own ?? times }))
      pending = null
      times = null
      continue
    }
    const alone = last === undefined ? null : timesIn(read, amounts, null)
    const previous = lines.at(-1)
    const more = previous === undefined || pending !== null ? null : continued(previous, read)
    if (previous !== undefined && more !== null) lines[lines.length - 1] = more
    else if (alone === null) pending = last === undefined ? headingOf(read, pending) : pending
    else if (previous !== undefined && previous.quantity === null && Math.abs(alone.quantity * alone.price - (previous.amount ?? 0)) < 0.02)
      lines[lines.length - 1] = { ...previous, quantity: alone.quantity, quantities: [alone.quantity], price: alone.price }
    else times = alone
  }
  return lines
}

/** A line with what stands on the next row for want of room: the rest of the text and the price of one. */
function continued(line: Line, read: Read): Line | null {
  const { row, amounts } = read
  const [leading] = line.read.row.tokens
  const count = /^\d{1,3}$/.test(leading?.text ?? '') ? Number(leading?.text) : null
  const last = amounts.findLast(({ decimals }) => decimals === 2)
  const price = last?.value
  if (row.top - line.read.row.bottom > row.size || count === null || price === undefined || line.quantity !== null) return null
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

/** The text above an amount; of a row that is none, nothing. */
function headingOf(read: Read, before: string | null): string | null {
  const text = textOf(read.row.tokens)
  if (isFact(read) || !/\p{L}{3}/u.test(text)) return isFact(read) ? null : before
  return before === null ? text : `${before} ${text}`.slice(-200)
}

/** A row that says something of the document or the shop. */
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

function lineOf(read: Read, { description, amount, times }: { description: string; amount: number; times: Times | null }): Line {
  const fits = times !== null && Math.abs(times.quantity * times.price - amount) < 0.02
  return {
    read,
    description,
    quantity: fits ? times.quantity : null,
    quantities: fits ? [times.quantity] : [],
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

/** The right edge of most amounts. */
function edgeOf(rows: readonly Read[]): number {
  const edges = rows
    .flatMap(({ amounts }) => amounts.filter(({ decimals }) => decimals === 2).map(({ right }) => right))
    .sort((one, two) => one - two)
  return edges[Math.floor(edges.length * 0.75)] ?? Infinity
}

/** The words before the figures at the end, without a quantity before them. */
function textBefore({ row, amounts }: Read, times: Times | null): string {
  const first = amounts.find(({ from, decimals }) => from > 0 && decimals === 2)
  const words = row.tokens.slice(0, times !== null && times.from > 0 ? times.from : first?.from)
  while (words.length > 0 && TIMES.test(words.at(-1)?.text ?? '') && /^[x×*@]/.test(words.at(-1)?.text ?? '')) words.pop()
  if (words.length > 1 && /^\d{1,3}[x×*]?$/.test(words[0]?.text ?? '')) words.shift()
  if (words.length > 1 && TIMES.test(words[0]?.text ?? '')) words.shift()
  return textOf(words)
}

interface Times {
  readonly quantity: number
  readonly quantities: readonly number[]
  readonly price: number
  /** Token at which it begins. */
  readonly from: number
}

/** Quantity and price of one that stand before an amount, or alone. */
function timesIn({ row }: Read, amounts: readonly Amount[], total: Amount | null): Times | null {
  const before = amounts.filter((amount) => amount !== total)
  for (const quantity of before)
    for (const price of before) {
      if (quantity === price || price.from < quantity.from || price.decimals !== 2) continue
      const between = row.tokens.slice(quantity.to, price.from)
      const isMarked = between.some(({ text }) => TIMES.test(text)) || /[x×*]$/.test(row.tokens[quantity.to - 1]?.text ?? '')
      const fits = total !== null && Math.abs(quantity.value * price.value - total.value) < 0.02
      if (fits || (total === null && isMarked))
        return { quantity: quantity.value, quantities: [quantity.value], price: price.value, from: quantity.from }
    }
  const [first] = row.tokens
  const [, leading] = /^(\d{1,3}) ?[x×*]?$/.exec(first?.text ?? '') ?? []
  if (leading !== undefined && total !== null && before.length <= 1) {
    const price = before.find(({ decimals }) => decimals === 2)?.value
    if (price !== undefined && Math.abs(Number(leading) * price - total.value) < 0.02)
      return { quantity: Number(leading), quantities: [Number(leading)], price, from: 0 }
  }
  return null
}
