import { cardinal } from './numbers.js'
import { NONE, isDigits, isOpen, one, type Rule, type Spoken, type Token } from './token.js'

/** Abbreviations that end with a dot, in lower case. */
const DOTTED: Readonly<Record<string, string>> = {
  mr: 'Mister',
  mrs: 'Missus',
  ms: 'Miz',
  dr: 'Doctor',
  prof: 'Professor',
  rev: 'Reverend',
  gen: 'General',
  sen: 'Senator',
  gov: 'Governor',
  jr: 'Junior',
  sr: 'Senior',
  inc: 'Incorporated',
  ltd: 'Limited',
  corp: 'Corporation',
  co: 'Company',
  dept: 'Department',
  est: 'established',
  approx: 'approximately',
  etc: 'et cetera',
  vs: 'versus',
  ave: 'Avenue',
  blvd: 'Boulevard',
  mt: 'Mount',
  rd: 'Road',
  ln: 'Lane',
  apt: 'Apartment',
  ste: 'Suite',
  fig: 'Figure',
  vol: 'Volume',
  ed: 'edition',
  ext: 'extension',
  tel: 'telephone',
  temp: 'temperature',
  misc: 'miscellaneous',
  max: 'maximum',
}
/** Abbreviations before a number; without one they are other words. */
const NUMBERED: Readonly<Record<string, string>> = { no: 'number', p: 'page', pp: 'pages', ch: 'chapter', sec: 'section', ver: 'version' }
/** Abbreviations also written without a dot. */
const PLAIN: Readonly<Record<string, string>> = {
  mr: 'Mister',
  mrs: 'Missus',
  dr: 'Doctor',
  vs: 'versus',
  'e.g': 'for example',
  'i.e': 'that is',
  'a.k.a': 'also known as',
  aka: 'also known as',
  'w/': 'with',
  'w/o': 'without',
  'n/a': 'not applicable',
  'and/or': 'and or',
  'c/o': 'care of',
}
/** Separate signs. */
const SIGNS: Readonly<Record<string, string>> = {
  '&': 'and',
  '@': 'at',
  '+': 'plus',
  '=': 'equals',
  '×': 'times',
  '÷': 'divided by',
  '±': 'plus or minus',
  '<': 'less than',
  '>': 'greater than',
  '≤': 'at most',
  '≥': 'at least',
  '≈': 'about',
  '→': 'to',
  '°': 'degrees',
  '§': 'section',
  '#': 'number',
  '%': 'percent',
  '/': 'slash',
}
const STREET = /^(?:\d|[A-Z])/

/** Abbreviations and signs: `Dr. Lee` is `Doctor Lee`, `e.g.` `for example`, `Main St.` `Main Street`, `#5` `number five`. */
export const abbreviationRule: Rule = (tokens, at) => {
  const [first = NONE, second = NONE] = tokens.slice(at, at + 2)
  const low = first.core.toLowerCase()
  if (low === 'st') return saintOrStreet(tokens, at)
  if (NUMBERED[low] !== undefined && first.trail === '.' && second.lead === '' && /^\d/.test(second.core)) return one(NUMBERED[low])
  if (first.trail.startsWith('.') && Object.hasOwn(DOTTED, low) && isWritten(low, tokens, at)) return one(DOTTED[low] ?? null)
  if (Object.hasOwn(PLAIN, low) && (low.includes('.') || low.includes('/') || isOpen(first))) return one(PLAIN[low] ?? null)
  if (Object.hasOwn(SIGNS, first.core)) return one(SIGNS[first.core] ?? null)
  return numbered(first) ?? joined(first)
}

/** Words such as `max` and `co` at the end of a sentence are not abbreviations; a title before a name always is. */
function isWritten(low: string, tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (low !== 'max' && low !== 'temp' && low !== 'ed' && low !== 'gen' && low !== 'co') return true
  return next !== undefined && (low === 'gen' || low === 'co' ? /^[A-Z&]/.test(next.core) || next.lead !== '' : /^[\d(a-z]/.test(next.core))
}

/** `St. Paul`, `Main St.` */
function saintOrStreet(tokens: readonly Token[], at: number): Spoken | null {
  const [before = NONE, { trail } = NONE, next] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  const isSaint = next !== undefined && /^\.?$/.test(trail) && /^[A-Z]/.test(next.core) && !(isOpen(before) && STREET.test(before.core))
  if (isSaint) return { words: 'Saint', used: 1 }
  return isOpen(before) && STREET.test(before.core) ? { words: 'Street', used: 1 } : null
}

/** `#5`. */
function numbered({ core }: Token): Spoken | null {
  return core.startsWith('#') && isDigits(core.slice(1)) ? one(`number ${cardinal(core.slice(1))}`) : null
}

/** `R&D`, `him/her`: the sign inside the word is spoken. */
function joined({ core }: Token): Spoken | null {
  if (/^[A-Za-z]{1,20}&[A-Za-z]{1,20}$/.test(core)) return one(core.replace('&', ' and '))
  return /^[A-Za-z]{2,20}\/[A-Za-z]{2,20}$/.test(core) ? one(core.replace('/', ' or ')) : null
}
