import { cardinal, decimal } from './numbers.js'
import { isDigits, NONE, one, type Rule } from './token.js'
import { unitOf } from './quantities.js'

const OPERATORS: Readonly<Record<string, string>> = {
  '+': 'plus',
  '=': 'equals',
  '<': 'less than',
  '>': 'greater than',
  '*': 'times',
  '×': 'times',
  '÷': 'divided by',
}

/** Numbers joined with something else: `5-year`, `100%-owned`, `10:1`, `1h30`, `6'2"`, `15s`, `5+3=8`. */
export const compoundRule: Rule = (tokens, at) => {
  const { core, trail } = tokens[at] ?? NONE
  return one(hyphenated(core) ?? ratio(core) ?? hours(core) ?? feet(core, trail) ?? formula(core))
}

/** `5-year`, `24-hour`, `100%-owned`; the second part is unchanged. */
function hyphenated(core: string): string | null {
  const [, number, unit, rest] = /^(\d[\d,]{0,12}(?:\.\d{1,4})?)(%?)-([a-z][a-z-]{1,30})$/i.exec(core) ?? []
  if (number === undefined || rest === undefined) return null
  return `${decimal(number)}${unit === '%' ? ' percent' : ''}-${rest}`
}

/** `10:1`. Times of day are handled before. */
function ratio(core: string): string | null {
  const [, first, second] = /^(\d{1,9}):(\d{1,9})$/.exec(core) ?? []
  return first === undefined || second === undefined ? null : `${cardinal(first)} to ${cardinal(second)}`
}

/** `1h30`, `15s`. */
function hours(core: string): string | null {
  const [, hour, minutes] = /^(\d{1,2})h(\d\d)$/.exec(core) ?? []
  if (hour !== undefined && minutes !== undefined)
    return `${cardinal(hour)} ${(unitOf('h') ?? [])[hour === '1' ? 0 : 1] ?? ''} ${cardinal(String(Number(minutes)))}`
  const seconds = /^(\d{1,6})s$/.exec(core)?.[1]
  return seconds === undefined ? null : `${cardinal(seconds)} ${Number(seconds) === 1 ? 'second' : 'seconds'}`
}

/** `6'2"`; the second mark follows the word. */
function feet(core: string, trail: string): string | null {
  const [, first, inches] = /^(\d)['’′](\d{1,2})$/.exec(core) ?? []
  return first === undefined || inches === undefined || !/^["”″]/.test(trail) ? null : `${cardinal(first)} foot ${cardinal(inches)}`
}

/** Operands of letters or digits with signs between them: `5+3=8`, `x>2`. */
function formula(core: string): string | null {
  const pieces = core.split(/([+=<>*×÷])/)
  const operands = pieces.filter((_, place) => place % 2 === 0)
  if (pieces.length < 3 || operands.some((operand) => !/^(?:[a-z]|\d{1,9}(?:\.\d{1,4})?)$/i.test(operand))) return null
  return pieces.map((piece) => OPERATORS[piece] ?? (isDigits(piece.replace('.', '')) ? decimal(piece) : piece)).join(' ')
}
