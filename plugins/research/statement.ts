/** A figure with what it counts or measures, in the base unit of its kind. */
export interface Figure {
  /** Kind of measure such as `length`, a currency, `%`, or the folded counted noun. */
  readonly unit: string
  readonly value: number
  /** Value of the last written digit, in the same unit: 3.2 million is precise to 100,000. */
  readonly step: number
}

/** The comparable content of a sentence. */
export interface Statement {
  readonly text: string
  /** Content words, folded, without figures, dates and negations. */
  readonly terms: ReadonlySet<string>
  /** Proper names and versioned names, folded; sentences with different names are about different things. */
  readonly names: ReadonlySet<string>
  readonly figures: readonly Figure[]
  /** Years, days and months, as `1932`, `1932-03` or `1932-03-19`. */
  readonly dates: readonly string[]
  readonly denies: boolean
  /** False for a question, a condition or a guess. */
  readonly states: boolean
}

const TOKENS = /[$€£¥]|\d[\d.,]*\d|\d|[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|%|[.,;:!?()/–-]/gu
const SCALES = new Map([
  ...['thousand', 'tausend', 'mille', 'mil'].map((word): [string, number] => [word, 1e3]),
  ...['million', 'millions', 'millionen', 'mio', 'millones'].map((word): [string, number] => [word, 1e6]),
  ...['billion', 'billions', 'milliarden', 'milliarde', 'milliards', 'mrd', 'bn'].map((word): [string, number] => [word, 1e9]),
  ...['trillion', 'trillions'].map((word): [string, number] => [word, 1e12]),
])
const CURRENCIES = new Map([
  ...['$', 'dollar', 'dollars', 'usd'].map((word): [string, string] => [word, 'USD']),
  ...['€', 'euro', 'euros', 'eur'].map((word): [string, string] => [word, 'EUR']),
  ...['£', 'pound', 'pounds', 'gbp'].map((word): [string, string] => [word, 'GBP']),
  ...['¥', 'yen', 'jpy'].map((word): [string, string] => [word, 'JPY']),
])
/** Units by name, with their kind and their size in its base unit. */
const UNITS = new Map<string, readonly [string, number]>(
  Object.entries({
    length:
      'mm 0.001, cm 0.01, m 1, metre 1, meter 1, metres 1, meters 1, km 1000, kilometre 1000, kilometer 1000, kilometres 1000, kilometers 1000, mile 1609.344, miles 1609.344, ft 0.3048, feet 0.3048, foot 0.3048, inch 0.0254, inches 0.0254',
    mass: 'mg 0.000001, g 0.001, gram 0.001, grams 0.001, kg 1, kilogram 1, kilograms 1, tonne 1000, tonnes 1000, ton 907.18474, tons 907.18474, lb 0.45359237, pounds-weight 0.45359237',
    time: 'ms 0.001, second 1, seconds 1, minute 60, minutes 60, hour 3600, hours 3600, day 86400, days 86400, week 604800, weeks 604800, month 2629746, months 2629746, year 31556952, years 31556952',
    data: 'kb 1000, mb 1000000, gb 1000000000, tb 1000000000000, kib 1024, mib 1048576, gib 1073741824, tib 1099511627776',
    power: 'w 1, watt 1, watts 1, kw 1000, mw 1000000, megawatt 1000000, megawatts 1000000, gw 1000000000',
    '%': '% 1, percent 1, prozent 1',
  }).flatMap(([kind, list]) =>
    list.split(', ').map((entry): [string, readonly [string, number]] => {
      const [name = '', size = '1'] = entry.split(' ')
      return [name, [kind, Number(size)]]
    }),
  ),
)
const MONTHS = new Map(
  'january february march april may june july august september october november december'.split(' ').map((name, at) => [name, at + 1]),
)
const DENIALS = new Set('not no never none neither nor without cannot nicht kein keine keinen nie ne pas jamais nunca'.split(' '))
/** Pairs of antonyms: the second is read as the negation of the first. */
const OPPOSITES = new Map(
  Object.entries({
    ...{ disabled: 'enabled', unsupported: 'supported', forbidden: 'allowed', unsafe: 'safe', false: 'true', impossible: 'possible' },
    ...{ decrease: 'increase', decreases: 'increases', decreased: 'increased', optional: 'required', illegal: 'legal', closed: 'open' },
    ...{ ineffective: 'effective', unable: 'able', failed: 'succeeded', lower: 'higher', lowers: 'raises', incompatible: 'compatible' },
  }),
)
const UNCERTAIN = new Set('if unless whether may might could would should perhaps possibly falls ob wenn si'.split(' '))
const COMMON = new Set(
  (
    'a an the and or of in on at to for from by with as is are was were be been being has have had do does did it its this that these those there their they them he she we you ' +
    'which who whom whose when where what how than then so also into over under about up out only just more most less least very some any all each both such other same new now still ' +
    'can will than around approximately roughly nearly almost exactly total since until during after before between per said says according der die das den dem des ein eine und oder ist sind war im zu mit von auf für'
  ).split(' '),
)
const MOST_TOKENS = 80

/** The statement of a sentence of at most some hundred characters, in linear time. */
export function statementOf(text: string): Statement {
  const tokens = (text.match(TOKENS) ?? []).slice(0, MOST_TOKENS)
  const state: Reading = {
    terms: new Set(),
    names: new Set(),
    figures: [],
    dates: [],
    denials: 0,
    unsure: text.trimEnd().endsWith('?'),
  }
  for (let at = 0; at < tokens.length;) at = read(tokens, at, state)
  return {
    text,
    terms: state.terms,
    names: state.names,
    figures: state.figures,
    dates: state.dates,
    denies: state.denials % 2 === 1,
    states: !state.unsure,
  }
}

interface Reading {
  readonly terms: Set<string>
  readonly names: Set<string>
  readonly figures: Figure[]
  readonly dates: string[]
  denials: number
  unsure: boolean
}

/** Reads the item at a token and returns the next position. */
function read(tokens: readonly string[], at: number, state: Reading): number {
  const token = tokens[at] ?? ''
  if (/^\d/.test(token) || (CURRENCIES.has(token) && /^\d/.test(tokens[at + 1] ?? ''))) return readNumber(tokens, at, state)
  if (!/^\p{L}/u.test(token)) return at + 1
  const word = token.toLowerCase().replace('’', "'")
  const month = MONTHS.get(word)
  if (month !== undefined && /^\p{Lu}/u.test(token)) {
    const after = monthBefore(tokens, at, month)
    if (after !== null) {
      state.dates.push(after.date)
      return after.next
    }
  }
  if (DENIALS.has(word) || /n't$/.test(word)) {
    state.denials++
    return at + 1
  }
  if (UNCERTAIN.has(word)) state.unsure = true
  const positive = OPPOSITES.get(word)
  if (positive !== undefined) state.denials++
  if (COMMON.has(word)) return at + 1
  const term = fold(positive ?? word)
  // The first word of a sentence is always capitalised.
  const named = at > 0 && /^\p{Lu}/u.test(token) && !/^[.!?:]$/.test(tokens[at - 1] ?? '')
  const version = tokens[at + 1] ?? ''
  // A number after a name is part of it: Debian 12, Section 3.1.
  if (/^\p{Lu}/u.test(token) && /^\d{1,3}(?:\.\d+)*$/.test(version) && !isUnit(tokens[at + 2])) {
    state.names.add(`${term} ${version}`)
    state.terms.add(term)
    return at + 2
  }
  if (named) state.names.add(term)
  state.terms.add(term)
  return at + 1
}

function readNumber(tokens: readonly string[], at: number, state: Reading): number {
  const signed = CURRENCIES.get(tokens[at] ?? '')
  const start = signed === undefined ? at : at + 1
  const written = tokens[start] ?? ''
  const day = signed === undefined ? dayBefore(tokens, start) : null
  if (day !== null) {
    state.dates.push(day.date)
    return day.next
  }
  const number = numberOf(written)
  if (number === null) return start + 1
  let next = start + 1
  let scale = 1
  for (
    let times = SCALES.get((tokens[next] ?? '').toLowerCase());
    times !== undefined;
    times = SCALES.get((tokens[next] ?? '').toLowerCase())
  ) {
    scale *= times
    next++
  }
  const unit = (tokens[next] ?? '').toLowerCase()
  const currency = signed ?? CURRENCIES.get(unit)
  const measure = UNITS.get(unit)
  if (currency === undefined && measure === undefined && scale === 1 && isYear(written, tokens, start)) {
    state.dates.push(written)
    return next
  }
  const [kind, size] = currency !== undefined ? [currency, 1] : (measure ?? [countedAt(tokens, next), 1])
  if (kind !== '') state.figures.push({ unit: kind, value: number.value * scale * size, step: number.step * scale * size })
  return currency === signed && measure === undefined ? next : next + 1
}

/** The word after a bare number, folded, as the counted noun: adjectives cannot be distinguished from nouns. Empty without one. */
function countedAt(tokens: readonly string[], at: number): string {
  const word = (tokens[at] ?? '').toLowerCase()
  return /^\p{L}{2,}/u.test(word) && !COMMON.has(word) ? fold(word) : ''
}

function isUnit(token: string | undefined): boolean {
  const word = (token ?? '').toLowerCase()
  return UNITS.has(word) || SCALES.has(word) || CURRENCIES.has(word)
}

/** A bare four-digit number from 1500 to 2099 is a year unless a counted noun follows. */
function isYear(written: string, tokens: readonly string[], at: number): boolean {
  if (!/^(?:1[5-9]|20)\d\d$/.test(written)) return false
  const before = (tokens[at - 1] ?? '').toLowerCase()
  return (
    /^(?:in|since|until|by|from|to|of|after|before|during|year|im|seit|bis|en|,|\(|–|-)$/.test(before) || countedAt(tokens, at + 1) === ''
  )
}

/** A value and the size of its last digit. Three digits after a single separator may be thousands, so such a number is read as neither. */
function numberOf(written: string): { readonly value: number; readonly step: number } | null {
  const bare = written.replace(/[.,]$/, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)) return exact(bare.replaceAll(',', ''))
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(bare)) return exact(bare.replaceAll('.', ''))
  if (/^\d+[.,]\d+$/.test(bare)) return /^\d{1,3}\.\d{3}$/.test(bare) ? null : exact(bare.replace(',', '.'))
  return /^\d{1,15}$/.test(bare) ? exact(bare) : null
}

function exact(text: string): { readonly value: number; readonly step: number } {
  const point = text.indexOf('.')
  let zeros = 0
  if (point === -1) while (zeros < text.length && text.at(-1 - zeros) === '0') zeros++
  const value = Number(text)
  // Trailing zeros may be exact: 400 covers values within 2.5 % of it, not everything rounded to hundreds.
  return { value, step: point === -1 ? (zeros === 0 ? 1 : Math.min(10 ** zeros, value / 20)) : 10 ** -(text.length - point - 1) }
}

interface ReadDate {
  readonly date: string
  readonly next: number
}

/** `March 1932`, `March 19, 1932`. */
function monthBefore(tokens: readonly string[], at: number, month: number): ReadDate | null {
  const [one = '', two = '', three = ''] = tokens.slice(at + 1, at + 4)
  const m = String(month).padStart(2, '0')
  if (/^\d{4}$/.test(one)) return { date: `${one}-${m}`, next: at + 2 }
  if (/^\d{1,2}$/.test(one) && two === ',' && /^\d{4}$/.test(three)) return { date: `${three}-${m}-${one.padStart(2, '0')}`, next: at + 4 }
  return /^\d{1,2}$/.test(one) && /^\d{4}$/.test(two) ? { date: `${two}-${m}-${one.padStart(2, '0')}`, next: at + 3 } : null
}

/** `19 March 1932`, `1932-03-19`. */
function dayBefore(tokens: readonly string[], at: number): ReadDate | null {
  const [one = '', two = '', three = '', four = '', five = ''] = tokens.slice(at, at + 5)
  if (/^\d{4}$/.test(one) && two === '-' && /^\d\d$/.test(three) && four === '-' && /^\d\d$/.test(five))
    return { date: `${one}-${three}-${five}`, next: at + 5 }
  const month = MONTHS.get(two.toLowerCase())
  return month !== undefined && /^\d{1,2}$/.test(one) && /^\d{4}$/.test(three)
    ? { date: `${three}-${String(month).padStart(2, '0')}-${one.padStart(2, '0')}`, next: at + 3 }
    : null
}

/** A word for comparison: without a plural s or a past tense ending. */
function fold(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
