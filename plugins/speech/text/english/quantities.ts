import { cardinal, decimal, MOST_DIGITS, ordinal, spelled } from './numbers.js'
import { NONE, isDigits, isOpen, one, type Rule, type Spoken, type Token } from './token.js'

/** Units by sign: singular and plural. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  '%': ['percent', 'percent'],
  '‰': ['per mille', 'per mille'],
  '°': ['degree', 'degrees'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  km: ['kilometer', 'kilometers'],
  m: ['meter', 'meters'],
  cm: ['centimeter', 'centimeters'],
  mm: ['millimeter', 'millimeters'],
  'm²': ['square meter', 'square meters'],
  'km²': ['square kilometer', 'square kilometers'],
  kg: ['kilogram', 'kilograms'],
  g: ['gram', 'grams'],
  mg: ['milligram', 'milligrams'],
  lb: ['pound', 'pounds'],
  lbs: ['pound', 'pounds'],
  oz: ['ounce', 'ounces'],
  ft: ['foot', 'feet'],
  mi: ['mile', 'miles'],
  mph: ['mile per hour', 'miles per hour'],
  'km/h': ['kilometer per hour', 'kilometers per hour'],
  l: ['liter', 'liters'],
  L: ['liter', 'liters'],
  ml: ['milliliter', 'milliliters'],
  GB: ['gigabyte', 'gigabytes'],
  MB: ['megabyte', 'megabytes'],
  KB: ['kilobyte', 'kilobytes'],
  kB: ['kilobyte', 'kilobytes'],
  TB: ['terabyte', 'terabytes'],
  GHz: ['gigahertz', 'gigahertz'],
  MHz: ['megahertz', 'megahertz'],
  kHz: ['kilohertz', 'kilohertz'],
  Hz: ['hertz', 'hertz'],
  kW: ['kilowatt', 'kilowatts'],
  kWh: ['kilowatt hour', 'kilowatt hours'],
  W: ['watt', 'watts'],
  ms: ['millisecond', 'milliseconds'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  hr: ['hour', 'hours'],
  hrs: ['hour', 'hours'],
}
const NUMBER = /^([-−+~<>≤≥≈]?)(\d[\d,]{0,25}(?:\.\d{1,12})?|\.\d{1,12})([^\d.,\s]{1,8})?$/
const RANGE = /^(\d{1,9}(?:\.\d{1,4})?)[-–](\d{1,9}(?:\.\d{1,4})?)([^\d.\s-]{0,6})$/
const FRACTIONS: Readonly<Record<string, string>> = {
  '½': 'one half',
  '¼': 'one quarter',
  '¾': 'three quarters',
  '⅓': 'one third',
  '⅔': 'two thirds',
}
const PREFIXES: Readonly<Record<string, string>> = {
  '-': 'minus ',
  '−': 'minus ',
  '+': 'plus ',
  '~': 'about ',
  '≈': 'about ',
  '<': 'less than ',
  '>': 'more than ',
  '≤': 'at most ',
  '≥': 'at least ',
}
const SCALES: Readonly<Record<string, string>> = { k: 'thousand', M: 'million', bn: 'billion', x: 'times', X: 'times' }
/** Divisors of a unit. */
const PER: Readonly<Record<string, string>> = {
  s: 'second',
  sec: 'second',
  min: 'minute',
  h: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  year: 'year',
}
/** Denominators of fractions that are read as such; others are read as two numbers. */
const PARTS = new Set(['2', '3', '4', '5', '6', '7', '8', '9', '10', '16', '32', '64', '100', '1000'])

/** Grouped digits that are read one by one: telephone numbers of seven and ten digits, and four groups or more, such as an ISBN. */
const GROUPED = [/^(?:\d{3}-)?\d{3}-\d{4}$/, /^\d{3}\.\d{3}\.\d{4}$/, /^\d{1,7}-\d{1,7}-\d{1,7}-[\d-]{1,20}$/]

/** Numbers with units: `5 km`, `-3.5°C`, `20%`, `1/2`, `3rd`, `10-12`, `v2.1`, `+1 555 0100`. */
export const quantityRule: Rule = (tokens, at) => {
  const { core } = tokens[at] ?? NONE
  return phone(tokens, at) ?? measured(tokens, at) ?? range(tokens, at) ?? one(fraction(core) ?? place(core) ?? version(core))
}

/** `+49 30 1234567`, `(555) 123-4567`, `555-123-4567`, `555-0100`: digit by digit, with a short pause between groups. */
function phone(tokens: readonly Token[], at: number): Spoken | null {
  const [first = NONE, second = NONE] = tokens.slice(at, at + 2)
  const groups = (text: string): string => text.split(/[-./]/).map(spelled).join(', ')
  if (/^\+\d[\d-]{2,20}$/.test(first.core) || /^\+\d{1,3}$/.test(first.core)) {
    let [used, words] = [1, `plus ${groups(first.core.slice(1))}`]
    for (let next = tokens[at + 1]; next !== undefined && isOpenGroup(tokens[at + used - 1]) && isGroup(next); next = tokens[at + used]) {
      words += `, ${groups(next.core)}`
      used++
    }
    return used === 1 && first.core.length < 8 ? null : { words, used }
  }
  if (first.lead.endsWith('(') && /^\d{3}$/.test(first.core) && first.trail === ')' && /^\d{3}-\d{4}$/.test(second.core))
    return { words: `${spelled(first.core)}, ${groups(second.core)}`, used: 2 }
  return one(GROUPED.some((form) => form.test(first.core)) ? groups(first.core) : null)
}

function isGroup({ lead, core }: Token): boolean {
  return /^[\d-]{1,12}$/.test(core) && /\d/.test(core) && (lead === '' || lead === '(')
}

function isOpenGroup(before: Token | undefined): boolean {
  return before !== undefined && (before.trail === '' || before.trail === ')')
}

function measured(tokens: readonly Token[], at: number): Spoken | null {
  const [first = NONE, second = NONE] = tokens.slice(at, at + 2)
  const [, sign = '', amount, attached] = NUMBER.exec(first.core) ?? []
  if (amount === undefined || (attached !== undefined && unitOf(attached) === undefined && SCALES[attached] === undefined)) return null
  const words = (PREFIXES[sign] ?? '') + (isPostcode(amount, tokens[at - 1]) ? spelled(amount) : numberOf(amount))
  const count = (unit: readonly [string, string]): string => `${words} ${Number(amount.replaceAll(',', '')) === 1 ? unit[0] : unit[1]}`
  if (attached !== undefined) {
    const unit = unitOf(attached)
    return one(unit === undefined ? `${words} ${SCALES[attached] ?? ''}` : count(unit))
  }
  const apart = isOpen(first) && second.lead === '' ? unitOf(second.core) : undefined
  return apart === undefined ? one(words) : { words: count(apart), used: 2 }
}

/** The words of a unit, also of a rate such as `GB/s`. */
export function unitOf(text: string): readonly [string, string] | undefined {
  if (Object.hasOwn(UNITS, text)) return UNITS[text]
  const [unit = '', per = '', ...more] = text.split('/')
  if (more.length > 0 || !Object.hasOwn(UNITS, unit) || !Object.hasOwn(PER, per)) return undefined
  const [single, many] = UNITS[unit] ?? ['', '']
  return [`${single} per ${PER[per] ?? ''}`, `${many} per ${PER[per] ?? ''}`]
}

/** Five digits after `ZIP` or the two letters of a state. */
function isPostcode(amount: string, before: Token | undefined): boolean {
  return /^\d{5}$/.test(amount) && before !== undefined && /^(?:ZIP|[A-Z]{2})$/.test(before.core)
}

/** A long number without commas is spelled digit by digit, such as an account number. */
function numberOf(amount: string): string {
  if (isDigits(amount) && (amount.length > 9 || amount.length > MOST_DIGITS)) return spelled(amount)
  return decimal(amount)
}

function fraction(core: string): string | null {
  const [, whole = '', sign] = /^(\d{0,6})([½¼¾⅓⅔])$/.exec(core) ?? []
  if (sign !== undefined) {
    const part = FRACTIONS[sign] ?? ''
    return whole === '' ? part : `${cardinal(whole)} and ${sign === '½' ? 'a half' : part}`
  }
  const [, over, under] = /^(\d{1,3})\/(\d{1,3})$/.exec(core) ?? []
  if (over === undefined || under === undefined || Number(under) === 0) return null
  if (!PARTS.has(under) || Number(over) >= Number(under)) return `${cardinal(over)} ${cardinal(under)}`
  const part = under === '2' ? 'half' : under === '4' ? 'quarter' : ordinal(under)
  return `${cardinal(over)} ${Number(over) === 1 ? part : `${part}s`}`
}

/** `3rd`. */
function place(core: string): string | null {
  const digits = /^(\d{1,9})(?:st|nd|rd|th)$/i.exec(core)?.[1]
  return digits === undefined ? null : ordinal(digits)
}

/** `10-12`, `5–6%`, `20-30 km`, `50-50`. */
function range(tokens: readonly Token[], at: number): Spoken | null {
  const [first = NONE, second = NONE] = tokens.slice(at, at + 2)
  const [, from, to, attached = ''] = RANGE.exec(first.core) ?? []
  if (from === undefined || to === undefined) return null
  const words = from === to ? `${decimal(from)} ${decimal(to)}` : `${decimal(from)} to ${decimal(to)}`
  if (attached !== '') {
    const unit = unitOf(attached)
    return unit === undefined ? null : one(`${words} ${unit[1]}`)
  }
  const apart = isOpen(first) && second.lead === '' ? unitOf(second.core) : undefined
  return apart === undefined ? one(words) : { words: `${words} ${apart[1]}`, used: 2 }
}

/** `1.2.3`, `v2`, `192.168.0.1`. */
function version(core: string): string | null {
  const [, letter = '', digits] = /^(v?)(\d{1,9}(?:\.\d{1,9}){0,7})$/i.exec(core) ?? []
  if (digits === undefined || (letter === '' && digits.split('.').length < 3)) return null
  const isAddress = digits.split('.').length === 4
  const parts = digits.split('.').map((part) => (isAddress && part.length > 2 ? spelled(part) : cardinal(part)))
  return `${letter === '' ? '' : 'version '}${parts.join(isAddress ? ' dot ' : ' point ')}`
}
