const SMALL = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen'],
  ...['fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const SCALES = ['', 'thousand', 'million', 'billion', 'trillion']
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}
/** Longer numbers are spelled digit by digit. */
export const MOST_DIGITS = 15

/** An integer of at most 15 digits in words: 1204 is `one thousand two hundred four`. Others are spelled digit by digit. */
export function cardinal(digits: string): string {
  if (digits.length > MOST_DIGITS) return spelled(digits)
  const groups: string[] = []
  for (let rest = digits; rest !== ''; rest = rest.slice(0, -3)) groups.unshift(rest.slice(-3))
  const words = groups.flatMap((group, at) => {
    const value = Number(group)
    return value === 0 ? [] : [belowThousand(value), SCALES[groups.length - 1 - at] ?? '']
  })
  return words.length === 0 ? 'zero' : words.filter((word) => word !== '').join(' ')
}

/** An ordinal number: 21 is `twenty-first`. */
export function ordinal(digits: string): string {
  const words = cardinal(digits)
  const start = Math.max(words.lastIndexOf(' '), words.lastIndexOf('-')) + 1
  const last = words.slice(start)
  const ending = ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return words.slice(0, start) + ending
}

/** Digit by digit: 007 is `zero zero seven`. Other characters are dropped. */
export function spelled(digits: string): string {
  return [...digits].flatMap((digit) => (digit >= '0' && digit <= '9' ? [SMALL[Number(digit)] ?? ''] : [])).join(' ')
}

/**
 * A number with an optional fraction, and commas between thousands: 1,204.50 is `one thousand two hundred four point
 * five zero`. Any other comma is decimal, as in 2,5.
 */
export function decimal(text: string): string {
  const [whole = '', fraction] = plainNumber(text).split('.')
  const before = whole === '' ? 'zero' : whole.length > 1 && whole.startsWith('0') ? spelled(whole) : cardinal(whole)
  return fraction === undefined || fraction === '' ? before : `${before} point ${spelled(fraction)}`
}

/** A number without thousands separators, with a decimal point: for `1,204.50`, `2,5` and `1.204,50`. */
export function plainNumber(text: string): string {
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')]
  if (comma > point && text.indexOf(',') === comma && (point >= 0 || text.length - comma !== 4)) {
    return `${text.slice(0, comma).replaceAll('.', '')}.${text.slice(comma + 1)}`
  }
  return text.replaceAll(',', '')
}

/** A four-digit year as spoken: 1905 is `nineteen oh five`, 2000 `two thousand`, 2024 `twenty twenty-four`. */
export function year(digits: string): string {
  const [century, rest] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (digits.length !== 4 || century === 0) return cardinal(digits)
  if (century % 10 === 0 && rest < 10) return cardinal(digits)
  if (rest === 0) return `${belowThousand(century)} hundred`
  return `${belowThousand(century)} ${rest < 10 ? 'oh ' : ''}${belowThousand(rest)}`
}

/** Whether digits may be a year, 1100 to 2099. */
export function isYear(digits: string): boolean {
  return /^(?:1[1-9]|20)\d\d$/.test(digits)
}

/** The plural of a number in words: `nineteen eighties`, `twenties`. */
export function decades(words: string): string {
  return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`
}

function belowThousand(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100]
  const below =
    rest < 20 ? (SMALL[rest] ?? '') : `${TENS[Math.floor(rest / 10)] ?? ''}${rest % 10 === 0 ? '' : `-${SMALL[rest % 10] ?? ''}`}`
  if (hundreds === 0) return below
  return `${SMALL[hundreds] ?? ''} hundred${rest === 0 ? '' : ` ${below}`}`
}
