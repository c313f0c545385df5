import type { Column } from './lexicon/headers.js'
import type { Heading } from './header.js'
import type { Row, Token } from './types.js'

/** The column of each token of a row: the lowest-cost alignment from left to right. */
export function columnsOf(row: Row, columns: readonly Zone[]): number[] {
  const { tokens, size } = row
  const width = columns.length
  let costs = columns.map((column) => costOf(tokens[0], column, size))
  const steps: number[][] = []
  for (let at = 1; at < tokens.length; at++) {
    const [token, before] = [tokens[at], tokens[at - 1]]
    if (token === undefined || before === undefined) break
    const gap = (token.left - before.right) / size
    const [stay, move] = [Math.max(0, gap - 0.8) * 0.8, Math.max(0, 0.9 - gap) * 2.5]
    const step: number[] = []
    let [least, from] = [Infinity, 0]
    const next: number[] = []
    for (let column = 0; column < width; column++) {
      const staying = (costs[column] ?? Infinity) + (columns[column]?.isText === true ? stay * 0.4 : stay)
      const isMove = least + move < staying
      step.push(isMove ? from : column)
      next.push((isMove ? least + move : staying) + costOf(token, columns[column], size))
      if ((costs[column] ?? Infinity) < least) [least, from] = [costs[column] ?? Infinity, column]
    }
    costs = next
    steps.push(step)
  }
  let column = costs.indexOf(Math.min(...costs))
  const path = [column]
  for (const step of steps.reverse()) path.unshift((column = step[column] ?? column))
  return path
}

/** A table column with the full width of its content. */
export interface Zone {
  readonly kind: Column
  readonly isText: boolean
  readonly left: number
  readonly right: number
}

const TEXTS: readonly Column[] = ['description', 'code', 'unit', 'skip', 'date']

/** Text columns extend to the next heading, numeric ones about as wide as their numbers. */
export function zonesOf(headings: readonly Heading[]): Zone[] {
  return headings.map(({ kind, left, right }, at) => {
    const isText = TEXTS.includes(kind)
    const [before, after] = [headings[at - 1]?.right ?? 0, headings[at + 1]?.left ?? Infinity]
    if (kind === 'description')
      return { kind, isText, left: Math.min(left, before + (left - before) * 0.3), right: Math.max(right, Math.min(after - 2, 5_000)) }
    return { kind, isText, left, right: isText && after < Infinity ? Math.max(right, right + (after - right) * 0.3) : right }
  })
}

/** Zones adjusted to their content: the usual position of their numbers. */
export function refined(zones: readonly Zone[], all: readonly (readonly Token[])[]): Zone[] {
  const found = all.map((tokens) => tokens.filter(({ text }) => /\d/.test(text)))
  return zones.map((zone, at) => {
    const tokens = found[at] ?? []
    if (zone.kind === 'skip' && tokens.length > 0 && tokens.filter(({ text }) => /\d ?%$/.test(text)).length > tokens.length / 2)
      return { ...zone, kind: 'rate', isText: false }
    const others = zones.some(({ kind }, other) => other !== at && kind === 'description')
    if (
      zone.kind === 'description' &&
      others &&
      tokens.length > 0 &&
      (all[at] ?? []).length === tokens.length &&
      tokens.every(({ text }) => /^\d{1,3}[.:)]?$/.test(text))
    )
      return { ...zone, kind: 'position', isText: false }
    if (tokens.length < 2 || zone.kind === 'description') return zone
    const lefts = tokens.map(({ left }) => left).sort((one, two) => one - two)
    const rights = tokens.map(({ right }) => right).sort((one, two) => one - two)
    const middle = Math.floor(tokens.length / 2)
    return { ...zone, left: Math.min(zone.left, lefts[middle] ?? zone.left), right: Math.max(zone.right, rights[middle] ?? zone.right) }
  })
}

function costOf(token: Token | undefined, zone: Zone | undefined, size: number): number {
  if (token === undefined || zone === undefined) return Infinity
  const distance = Math.max(0, zone.left - token.right, token.left - zone.right) / size
  const outside = Math.max(0, Math.max(zone.left - token.left, token.right - zone.right) / size)
  return Math.min(distance, 30) + 0.02 * Math.min(outside, 20) + mismatch(token, zone.kind)
}

/** Units after a quantity. */
const UNITS =
  /^(?:h|hrs?|hours?|std|stk|stck|stück|stunden?|st|pcs?|ea|each|szt|godz|uur|uren|uds?|unid|un|u|pz|kg|g|m|m2|m²|m3|m³|km|l|lt|days?|tage?|jours?|jrs?|heures?|días?|dias?|horas?|giorni|ore|dagen|dag|sets?|paket|pauschal|psch|units?|unités?|box|boxes|mt|ml|pair|paar|mon|monate?|mois|meses|x|lfm|kpl|opak|op|para|dni|doos|karton|packs?|pkg|rolle?n?)\.?$/i

function mismatch({ text }: Token, kind: Column): number {
  const letters = text.replace(/[^\p{L}]/gu, '').length
  const isNumber = /\d/.test(text) && letters <= 2
  const isCents = /\d[.,]\d{2}\D?$/.test(text)
  switch (kind) {
    case 'description':
    case 'skip':
      return isCents ? 1.5 : /^\d{1,4}\.?$|^[A-Z]{0,4}[-.]?\d{3,}$/.test(text) ? 0.3 : 0
    case 'code':
      return isCents ? 3 : /\d/.test(text) ? 0 : 0.3
    case 'date':
      return isNumber && /[./-]/.test(text) ? 0 : 1.5
    case 'unit':
      return isNumber && letters === 0 ? 2 : letters > 12 ? 3 : 0.2
    case 'quantity':
      return isNumber || UNITS.test(text) ? 0 : letters <= 8 ? 2 : 5
    case 'position':
      return /^\d{1,3}[.:)]?$/.test(text) ? 0 : text.length <= 3 ? 1.2 : 4
    case 'rate':
    case 'discount':
      return text.includes('%') ? 0 : isNumber ? 0.3 : letters <= 3 ? 1 : 5
    default:
      return isNumber || /^[€$£]|^[A-Z]{3}$|^[-–—]$|^zł$/.test(text) ? 0 : 5
  }
}
