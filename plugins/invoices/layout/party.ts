import { isContact, isCountry, isStreet, isTown } from './address.js'
import type { TextLine } from './blocks.js'
import { LEGAL_FORMS } from './lexicon/words.js'
import type { Paper } from './document.js'
import { folded } from './fold.js'

/** A party named in the document. */
export interface Party {
  readonly name: string | null
  readonly address: string | null
  readonly lines: readonly TextLine[]
  readonly contact: boolean
  readonly oneLine: boolean
}
const SEPARATORS = /\s*[·•|∙●♦*■]\s*|\s+[–—-]\s+/
/** Commas, but not before a legal form or a state code. */
const COMMAS = /\s*[·•|∙●♦*■]\s*|\s+[–—-]\s+|\s*,\s+(?!(?:Lda|Ltd|Inc|LLC|L\.?L\.?C|S\.?L|S\.?A|GmbH|B\.?V|Limited)\b|[A-Z]{2} \d{5})/

/** Name and address of a block, or null when it has neither. */
export function partyOf(lines: readonly TextLine[], paper: Paper): Party | null {
  const [only] = lines
  if (only === undefined) return null
  const contact = lines.some(({ text }) => isContact(text))
  if (lines.length <= 2) {
    const parts = lines.flatMap(({ text }) => partsOf(text))
    if (parts.length >= 3 && parts.some(isTown)) return { name: nameIn(parts), address: addressIn(parts), lines, contact, oneLine: true }
  }
  const texts = lines.map(({ text }) => text)
  const address = addressOf(texts)
  const name = nameIn(lines.filter((line) => !isLabelled(line, paper)).map(({ text }) => text))
  if (address === null && name === null) return null
  return { name, address, lines, contact, oneLine: false }
}

/** The parts of a line with a complete address; without separators, split after the legal form and before the town. */
export function partsOf(text: string): string[] {
  const split = text.split(SEPARATORS).map((part) => part.trim())
  const parts = (split.length >= 3 ? split : text.split(COMMAS)).map((part) => part.trim()).filter((part) => part !== '')
  if (parts.length >= 3 || !isTown(text)) return parts
  // A dot or bullet is often recognised as a small letter or sign.
  const signs = text
    .split(/\s+[+*e«»©¢°o~=](?:\s+)(?=[\p{Lu}\d])|\s*[·•|∙●]\s*|\s+[–—-]\s+/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (signs.length >= 3) return signs
  const form = LEGAL_FORMS.exec(text)
  if (form === null || form.index < 3) return parts
  const end = form.index + form[0].length
  const rest = text.slice(end).trim()
  const town = /(?<=\d\p{L}?)\s+(?=(?:[A-Z]{1,2}-)?\d{4,5} \p{Lu})/u.exec(rest)
  return town === null ? parts : [text.slice(0, end).trim(), rest.slice(0, town.index), rest.slice(town.index).trim()]
}

/** A line that starts with a label of something other than a party. */
function isLabelled({ read, row }: TextLine, { rows }: Paper): boolean {
  const start = read.row.tokens.findIndex((token) => token === row.tokens[0])
  return (
    rows[read.at]?.labels.some(
      ({ from, to, length }) =>
        from === start && length >= 4 && (to - from >= row.tokens.length || /[:\d]/.test(row.tokens.map(({ text }) => text).join(' '))),
    ) === true
  )
}

const TITLES =
  /^(?:firma|herrn?|frau|mr|mrs|ms|m|mme|monsieur|madame|sr|sra|sig|sigra|dhr|mevr|pan|pani|an|to|from|von|de|da|van|od|company|familie)$/

export function nameIn(texts: readonly string[]): string | null {
  for (const text of texts) {
    if (isStreet(text) || isTown(text) || isCountry(text)) break
    if (isContact(text) || !/\p{L}{2}/u.test(text) || TITLES.test(folded(text))) continue
    return text
  }
  return null
}

/** The parts of a line after the name up to the town and country. */
export function addressIn(parts: readonly string[]): string | null {
  const town = parts.findIndex((part) => isTown(part) && !isContact(part))
  if (town < 0) return null
  const name = parts.findIndex((part) => part === nameIn(parts))
  const to = isCountry(parts[town + 1] ?? '') ? town + 2 : town + 1
  return parts
    .slice(Math.max(0, name + 1 <= town ? name + 1 : town - 1), to)
    .filter((part) => !isContact(part))
    .join(', ')
}

/** From the street to the town and country, on one line. */
function addressOf(texts: readonly string[]): string | null {
  const town = texts.findIndex((text) => isTown(text) && !isContact(text))
  if (town < 0) return null
  let from = town
  for (let at = town - 1; at >= Math.max(0, town - 3); at--) if (isStreet(texts[at] ?? '')) from = at
  const whole = texts[town] ?? ''
  if (from === town && town > 0 && !isStreet(whole) && /\d/.test(texts[town - 1] ?? '') && !isContact(texts[town - 1] ?? ''))
    from = town - 1
  const to = isCountry(texts[town + 1] ?? '') ? town + 2 : town + 1
  return texts
    .slice(from, to)
    .map((text) => text.replace(/(?<![,;.\s])[,;.\s]+$/, '').trim())
    .join(', ')
}
