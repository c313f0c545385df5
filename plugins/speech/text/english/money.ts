import { cardinal, decimal, plainNumber } from './numbers.js'
import { NONE, isOpen, type Rule, type Spoken, type Token } from './token.js'

interface Currency {
  readonly one: string
  readonly many: string
  /** Hundredths; null for a currency without any. */
  readonly cent: string | null
  readonly cents: string | null
}

const currency = (single: string, many: string, cent: string | null = 'cent', cents: string | null = 'cents'): Currency => ({
  one: single,
  many,
  cent,
  cents,
})
const DOLLAR = currency('dollar', 'dollars')
const EURO = currency('euro', 'euros')
const POUND = currency('pound', 'pounds', 'penny', 'pence')
const YEN = currency('yen', 'yen', null, null)
const RUPEE = currency('rupee', 'rupees', 'paisa', 'paise')
const SIGNS: Readonly<Record<string, Currency>> = {
  $: DOLLAR,
  US$: currency('U S dollar', 'U S dollars'),
  A$: currency('Australian dollar', 'Australian dollars'),
  C$: currency('Canadian dollar', 'Canadian dollars'),
  '€': EURO,
  '£': POUND,
  '¥': YEN,
  '₹': RUPEE,
}
const CODES: Readonly<Record<string, Currency>> = {
  USD: currency('U S dollar', 'U S dollars'),
  EUR: EURO,
  GBP: POUND,
  JPY: YEN,
  CHF: currency('Swiss franc', 'Swiss francs', null, null),
  AUD: currency('Australian dollar', 'Australian dollars'),
  CAD: currency('Canadian dollar', 'Canadian dollars'),
  INR: RUPEE,
}
const SCALES: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  b: 'billion',
  bn: 'billion',
  t: 'trillion',
  thousand: 'thousand',
  million: 'million',
  billion: 'billion',
  trillion: 'trillion',
}
const AMOUNT = /^(\d[\d,]{0,25}(?:\.\d{1,6})?|\d{1,3}(?:\.\d{3}){1,5},\d\d)(k|m|mn|b|bn|t)?$/i

/** Amounts of money: `$3.50` is `three dollars and fifty cents`, `€5 million` `five million euros`, `20 EUR` `twenty euros`. */
export const moneyRule: Rule = (tokens, at) => {
  const [first = NONE, second = NONE, third = NONE] = tokens.slice(at, at + 3)
  const bare = first.core.replace(/^[-−]/, '')
  const minus = bare === first.core ? '' : 'minus '
  const before = Object.keys(SIGNS).find((sign) => bare.startsWith(sign))
  if (before !== undefined) return withSign(before, { text: bare.slice(before.length), minus, first, second })
  const after = Object.keys(SIGNS).find((sign) => bare.endsWith(sign))
  if (after !== undefined) return spoken(bare.slice(0, -after.length), SIGNS[after], { minus, used: 1 })
  const coded = CODES[bare]
  if (coded !== undefined && isOpen(first)) return scaled(second, third, coded, 2)
  const named = CODES[second.core] ?? SIGNS[second.core]
  if (named !== undefined && isOpen(first)) return spoken(bare, named, { minus, used: 2 })
  return null
}

interface Found {
  readonly text: string
  readonly minus: string
  readonly first: Token
  readonly second: Token
}

function withSign(sign: string, { text, minus, first, second }: Found): Spoken | null {
  const of = SIGNS[sign]
  const [low, high, more] = text.split(/[-–]/)
  if (high !== undefined && more === undefined && of !== undefined) {
    const last = high.startsWith(sign) ? high.slice(sign.length) : high
    const [from, to] = [AMOUNT.exec(low ?? '')?.[1], spoken(last, of, { minus: '', used: 1 })]
    return from === undefined || to === null ? null : { words: `${minus}${decimal(from)} to ${to.words}`, used: 1 }
  }
  const scale = isOpen(first) ? SCALES[second.core.toLowerCase()] : undefined
  if (scale !== undefined && second.core.length > 2) return spoken(text, of, { minus, used: 2, scale })
  return spoken(text, of, { minus, used: 1 })
}

function scaled(amount: Token, next: Token, of: Currency, used: number): Spoken | null {
  const scale = isOpen(amount) && next.core.length > 2 ? SCALES[next.core.toLowerCase()] : undefined
  return spoken(amount.core, of, { minus: '', used: scale === undefined ? used : used + 1, ...(scale === undefined ? {} : { scale }) })
}

function spoken(
  text: string,
  of: Currency | undefined,
  { minus, used, scale }: { readonly minus: string; readonly used: number; readonly scale?: string },
): Spoken | null {
  const [figure = '', per, ...more] = text.split('/')
  if (per !== undefined) {
    const each =
      more.length === 0 && /^[a-z]{2,12}$/i.test(per)
        ? spoken(figure, of, { minus, used, ...(scale === undefined ? {} : { scale }) })
        : null
    return each === null ? null : { ...each, words: `${each.words} per ${per}` }
  }
  const [, amount, letter] = AMOUNT.exec(text) ?? []
  if (amount === undefined || of === undefined) return null
  const factor = scale ?? (letter === undefined ? undefined : SCALES[letter.toLowerCase()])
  return { words: minus + (factor === undefined ? plain(amount, of) : `${decimal(amount)} ${factor} ${of.many}`), used }
}

function plain(amount: string, of: Currency): string {
  const [whole = '', fraction] = plainNumber(amount).split('.')
  if (fraction !== undefined && (fraction.length !== 2 || of.cent === null)) return `${decimal(amount)} ${of.many}`
  const units = `${cardinal(whole)} ${Number(whole) === 1 ? of.one : of.many}`
  const cents = Number(fraction ?? 0)
  if (cents === 0) return units
  const small = `${cardinal(String(cents))} ${(cents === 1 ? of.cent : of.cents) ?? ''}`
  return Number(whole) === 0 ? small : `${units} and ${small}`
}
