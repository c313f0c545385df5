import { abbreviationRule } from './abbreviations.js'
import { compoundRule } from './compounds.js'
import { dateRule } from './dates.js'
import { moneyRule } from './money.js'
import { quantityRule } from './quantities.js'
import { timeRule } from './times.js'
import { token, type Rule, type Spoken, type Token } from './token.js'
import { webRule } from './web.js'

/** The first matching rule applies; more specific ones come first. */
const RULES: readonly Rule[] = [webRule, moneyRule, dateRule, timeRule, abbreviationRule, quantityRule, compoundRule]
/** The dot of an abbreviation does not end a sentence, unless nothing follows or a new one starts. */
const ABBREVIATED = /^[A-Za-z]{1,7}$/

/**
 * An English text as spoken, for engines that read numbers and signs badly: numbers, money, dates, times, units,
 * telephone numbers, web and email addresses, abbreviations and signs become words. Lines and punctuation are kept.
 * Linear time.
 */
export function englishWords(text: string): string {
  return text.split('\n').map(line).join('\n')
}

function line(text: string): string {
  const tokens = text
    .split(/\s/)
    .filter((word) => word !== '')
    .map(token)
  const spokenWords: string[] = []
  for (let at = 0; at < tokens.length;) {
    const spoken = firstOf(tokens, at)
    const used = spoken?.used ?? 1
    const [first, last] = [tokens[at], tokens[at + used - 1]]
    if (first !== undefined && last !== undefined) spokenWords.push(placed({ first, last, next: tokens[at + used] }, spoken))
    at += used
  }
  return spokenWords.filter((word) => word !== '').join(' ')
}

function firstOf(tokens: readonly Token[], at: number): Spoken | null {
  for (const rule of RULES) {
    const spoken = rule(tokens, at)
    if (spoken !== null) return spoken
  }
  return null
}

interface Place {
  readonly first: Token
  readonly last: Token
  readonly next: Token | undefined
}

function placed({ first, last, next }: Place, spoken: Spoken | null): string {
  const lead = plain(first.lead)
  if (spoken === null) return lead + first.core + plain(first.trail)
  return lead + spoken.words + plain(isAbbreviated(last, next) ? last.trail.slice(1) : last.trail)
}

/** Whether the dot after the last token belongs to an expanded abbreviation. */
function isAbbreviated({ core, trail }: Token, next: Token | undefined): boolean {
  const isShort = ABBREVIATED.test(core) || /^[a-z](?:\.[a-z])+$/i.test(core) || /[ap]\.m$/i.test(core)
  if (/^\.[,;:]/.test(trail)) return true
  if (!trail.startsWith('.') || !isShort || next === undefined) return false
  const begins = /^[A-Z]/.test(next.core) && !isTitle(core)
  return !begins
}

/** Titles and similar words precede a name. */
function isTitle(core: string): boolean {
  return /^(?:a\.k\.a|e\.g|i\.e|mr|mrs|ms|mt|dr|prof|rev|gen|sen|gov|st|no|fig|vol|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)$/i.test(
    core,
  )
}

/** Emphasis marks are not spoken. */
function plain(marks: string): string {
  return marks.replace(/[*_`]/g, '')
}
