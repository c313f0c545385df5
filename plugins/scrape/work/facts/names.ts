import { isoDate } from './dates.js'
import { tidy } from '../head.js'

/** Maximum names per text, words per name, and words read per text. */
const MOST_NAMES = 20
const MOST_WORDS = 6
const MOST_TOKENS = 200

/** Separators in a line such as "First Last | Harbour correspondent | 14 March 2026". */
const BETWEEN = /[|·•∙⋅‧–—/→()\n｜／]|\s-\s/gu
/** Starts of a byline. */
const BEGINS = /^(?:(?:(?:written|posted|published|reported|story|words|text|article|interview|created|submitted)\s)?by|authors?(?=\s?[:：])|written\sby|(?:verfasst\s|geschrieben\s|ein\sbeitrag\s)?von|autor(?:in|en|es|a)?(?=\s?[:：])|text(?=\s?[:：])|(?:écrit\s|publié\s)?par|auteurs?(?=\s?[:：])|(?:escrito\s|publicado\s)?por|(?:a\scura\s|scritto\s)?d[ia]|autore(?=\s?[:：])|(?:geschreven\s)?door|(?:skrevet\s|skriven\s)?a[vf]|автор(?:ы)?(?=\s?[:：])|текст(?=\s?[:：])|作者|撰文|著者|執筆|文(?=\s?[:：]|$)|記者|记者|بقلم)\s?(?:[:：]|(?=\s|$|[\p{Lo}]))\s*/iu // prettier-ignore
/** Words that may follow a name without a separator: "First Last in Oslo", "First Last for The Daily Quay", "First Last am 3. Mai". */
const GOES_ON =
  /^(?:in|on|at|for|from|of|am|vom|im|für|aus|le|à|pour|el|en|para|il|per|op|voor|den|på|i|für|updated|published|,|\||\d.*)$/iu
const AND = /^(?:and|&|und|et|y|e|en|och|og|i|и|with|mit|avec)$/iu
/** Lower-case words inside a name. */
const PARTICLE = /^(?:de|del|della|der|den|di|da|das|do|dos|du|la|le|el|al|bin|ibn|bint|ben|van|von|vom|zu|zum|ter|ten|af|av|y|e|of|st)$/u
const WORD = /^(?:(?:d|l|al|el|o|mc)['’-])?(?:\p{Lu}|\p{Lo})[\p{L}\p{M}'’.·・-]{0,39}$/u
const MONTH = /^(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|févr(?:ier)?|mar(?:ch|s|zo|ço)?|märz|apr(?:il)?|avril|abril|may|mai|mayo|jun[ei]?|juin|junio|jul[yi]?|juillet|julio|aug(?:ust)?|août|agosto|sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|décembre|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|today|yesterday)\.?$/iu // prettier-ignore
/** Words for roles, and words that never start a name. */
const ROLE = /^(?:senior|junior|chief|deputy|assistant|associate|staff|guest|managing|editors?|editor-in-chief|editorial|correspondents?|reporters?|writers?|columnists?|journalists?|contributors?|contributing|freelance|photographers?|producers?|critics?|director|professor|lecturer|co-founder|founder|ceo|cto|newsroom|admin|administrator|webmaster|authors?|anonymous|unknown|redaktion|redakteur(?:in)?|rédaction|rédacteur|redacción|redactor|redazione|redactie|published|updated|posted)$/iu // prettier-ignore
const NO_START =
  /^(?:last|by|about|biography|profile|follow|view|read|more|share|contact|email|comments?|head|team|photo|picture|image|video|illustration|credit)$/iu
/** Words of names that identify nobody. */
const NOBODY = /^(?:(?:the|our|site|web|guest|staff|news|editorial|die|la|de)\s)?(?:admin|administrator|administrador|root|user|webmaster|web master|author|writer|editors?|staff|team|newsroom|desk|contributor|correspondent|anonymous|unknown|none|n\/a|null|undefined|redaktion|rédaction|redacción|redazione|redactie)$/iu // prettier-ignore
const ADDRESS = /^(?:https?:|\/|www\.|@|#|urn:|_:)|^\S+\.[a-z]{2,}\/\S*$|^\S+@\S+$/iu
const MAILBOX = /^\S+@\S+\s+\(([^()]{1,200})\)$|^([^<>]{1,200}?)\s*<[^<>\s]+@[^<>\s]+>$/u

/**
 * The names at the start of an author line, in order: "By First Last and Second Last | 14 March 2026". Empty for a
 * line without a name: a date, a role, a sentence. `strict`: the line must start with a word such as "By", every name
 * has two words, and no sentence follows.
 */
export function namesInByline(line: string, strict = false): string[] {
  const parts = line.replace(BETWEEN, '|').split('|').slice(0, MOST_TOKENS)
  let isAnnounced = false
  for (const [index, part] of parts.entries()) {
    const text = part.trim()
    const begin = BEGINS.exec(text)?.[0] ?? ''
    const rest = text.slice(begin.length)
    isAnnounced ||= begin !== ''
    if (rest === '') continue
    if (!strict || (isAnnounced && !(part.length > 100 || /[.!?]$/.test(text)))) {
      const { names, next } = new Line([rest, ...parts.slice(index + 1)].join('|')).names(isAnnounced && !strict ? 1 : 2)
      if (names.length > 0 && (next === null || GOES_ON.test(next) || ROLE.test(next))) return names
    }
    isAnnounced = false
  }
  return []
}

/** Whether a label such as "Written by" introduces a name. */
export function announcesName(label: string): boolean {
  const line = `${label.trim().slice(0, 100)}:`
  return BEGINS.exec(line)?.[0] === line
}

/** A name from markup, without surrounding words; null for an address, a date or a word that identifies nobody. */
export function nameIn(text: string): string | null {
  const line = tidy(text, 200)
  if (line === null) return null
  const mailbox = MAILBOX.exec(line)
  const name = (mailbox?.[1] ?? mailbox?.[2] ?? line)
    .replace(/^(?:(?:written|posted|published) )?by[: ]\s*|^authors?\s?[:：]\s*/i, '')
    .trim()
  return ADDRESS.test(name) || NOBODY.test(name) || isTime(name) ? null : name
}

/** Only a date, its words and punctuation. */
function isTime(text: string): boolean {
  if (isoDate(text) !== null) return true
  if (!/\d/.test(text)) return false
  const words = text.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '')
  return words.every((word) => MONTH.test(word) || /^(?:published|updated|posted|on|at|am|pm|utc|gmt|st|nd|rd|th|t|z)$/i.test(word))
}

/** A line as words, commas and separators. */
class Line {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = (text.match(/[|,，、]|[^\s|,，、]+/gu) ?? []).slice(0, MOST_TOKENS)
  }

  /** The names from the start on, and the token after them; the first has at least so many words. */
  names(least: number): { readonly names: string[]; readonly next: string | null } {
    const found = this.#name(least)
    const names = found === null ? [] : [found]
    const end = (): { names: string[]; next: string | null } => ({ names, next: this.#tokens[this.#at] ?? null })
    while (names.length > 0 && names.length < MOST_NAMES) {
      const before = this.#at
      const listed = this.#listed()
      if (listed.length === 0) {
        this.#at = before
        return end()
      }
      names.push(...listed)
    }
    return end()
  }

  /**
   * The names up to the one after "and". Text separated from a name only by a comma may be a place, a role or an
   * agency.
   */
  #listed(): string[] {
    const names: string[] = []
    while (names.length < MOST_NAMES) {
      const isComma = this.#skip()
      const isLast = AND.test(this.#tokens[this.#at] ?? '')
      if (isLast) this.#at += 1
      else if (!isComma) return []
      this.#skip()
      const name = this.#name(2)
      if (name === null) return []
      names.push(name)
      if (isLast) return names
    }
    return []
  }

  /** Skips separators and commas; true when a comma was among them. */
  #skip(): boolean {
    let isComma = false
    for (; /^[|,，、]$/u.test(this.#tokens[this.#at] ?? ''); this.#at += 1) isComma ||= this.#tokens[this.#at] !== '|'
    return isComma
  }

  #name(least: number): string | null {
    const words: string[] = []
    for (; words.length < MOST_WORDS; this.#at += 1) {
      const [word = '', next = ''] = this.#tokens.slice(this.#at, this.#at + 2)
      const isInside = words.length > 0 && PARTICLE.test(word) && (WORD.test(next) || PARTICLE.test(next))
      if (
        !isInside &&
        (!WORD.test(word) || ROLE.test(word) || (words.length === 0 && NO_START.test(word)) || isDatePart(word, next, words.length === 0))
      )
        break
      words.push(word)
    }
    // "First Last Harbour correspondent": the word before a lower-case role belongs to the role.
    if (words.length > 2 && ROLE.test(this.#tokens[this.#at] ?? '')) words.pop()
    const isWhole = words.length >= least || (words.length > 0 && /^\p{Lo}{2,}$/u.test(words[0] ?? ''))
    return isWhole && !NOBODY.test(words.join(' ')) ? words.join(' ') : null
  }
}

/** The name of a month or day: "March 14", "Mai 2026", "Monday"; May, April and August may also be first names. */
function isDatePart(word: string, next: string, isFirst: boolean): boolean {
  return MONTH.test(word) && (/^\d/.test(next) || (isFirst && !WORD.test(next)))
}
