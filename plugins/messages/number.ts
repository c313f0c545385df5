import type * as Libphonenumber from 'libphonenumber-js/max'
import { packageAtUse } from '../../core/sdk/index.js'

/** The numbering plans of all countries: 12 MB in memory, loaded with the first number. */
const libphonenumber = packageAtUse<typeof Libphonenumber>('libphonenumber-js/max')

/** A number that can receive messages. */
export interface RecipientNumber {
  readonly number: string
  /** ISO 3166-1. */
  readonly country: string
  /** All but the last four digits: numbers of one block differ only in those. */
  readonly prefix: string
}

const E164 = /^\+[1-9][0-9]{6,14}$/
/** Usual notations: blanks, brackets, points, hyphens; 00 or nothing for the plus. */
const WRITTEN = /^(?:\+|00)?[0-9 ()./-]{7,38}$/
const LAST_DIGITS = 4

/** Number types that cost the sender or the recipient extra. */
const REFUSED = new Map<Libphonenumber.NumberType, string>([
  ['PREMIUM_RATE', 'a premium-rate number'],
  ['SHARED_COST', 'a shared-cost number'],
  ['PERSONAL_NUMBER', 'a personal number, which costs as much as a premium-rate one'],
  ['UAN', 'a service number'],
  ['VOICEMAIL', 'a voice mailbox'],
  ['PAGER', 'a pager'],
])
/** Personal numbers of North America (such as 500) cost nothing extra; vendors have their test numbers there. */
const NORTH_AMERICA = '1'
/** Country codes without a country, by ITU-T E.164.D. */
const NO_COUNTRY: Readonly<Record<string, string>> = {
  '800': 'an international freephone number',
  '808': 'a shared-cost number',
  '870': 'a satellite telephone',
  '878': 'a personal number',
  '881': 'a satellite telephone',
  '882': 'a number of an international network, many of which are satellites',
  '883': 'a number of an international network, many of which are satellites',
  '888': 'a number for relief in disasters',
  '979': 'a premium-rate number',
}

/** Parses a number by the numbering plans of all countries (libphonenumber). A fault follows the field name. */
export function numberOf(text: string): RecipientNumber | { readonly fault: string } {
  if (!E164.test(text))
    return { fault: `is not E.164: a plus, the country code and the number, with digits alone, such as +491711234567${meant(text)}` }
  const parsed = libphonenumber().parsePhoneNumberFromString(text)
  if (parsed === undefined) return { fault: 'begins with no country code that exists' }
  const code = parsed.countryCallingCode
  const elsewhere = NO_COUNTRY[code]
  if (elsewhere !== undefined) return { fault: `is ${elsewhere} (+${code}), which gets no messages from here` }
  const { country } = parsed
  const type = parsed.getType()
  const refused = type === undefined || (type === 'PERSONAL_NUMBER' && code === NORTH_AMERICA) ? undefined : REFUSED.get(type)
  if (refused !== undefined) return { fault: `is ${refused}, which gets no messages from here` }
  if (country === undefined || !parsed.isValid())
    return { fault: `is in no range that is given out${country === undefined ? '' : ` in ${country}`}: check its digits` }
  return { number: text, country, prefix: text.slice(0, -LAST_DIGITS) }
}

/** The probably intended number, as a question; empty when there is none. */
function meant(text: string): string {
  if (!WRITTEN.test(text)) return ''
  const digits = text.replace(/^00/, '').replace(/[^0-9]/g, '')
  const parsed = libphonenumber().parsePhoneNumberFromString(`+${digits}`)
  return parsed?.isValid() === true && E164.test(parsed.number) ? `; did you mean ${parsed.number}?` : ''
}
