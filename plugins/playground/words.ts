import { entitiesOf, type Entity } from './entities.js'

/** A word of a sentence, or an entity treated as one. */
export interface Token {
  /** As written, without `'s`. */
  readonly text: string
  readonly stem: string
  /** Offset in the sentence, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly entity: Entity | null
  /** Preceded by a comma, colon, dash or end of a sentence. */
  readonly afterBreak: boolean
  /** A function word or polite phrase without meaning for the intent. */
  readonly isFiller: boolean
}

const FILLERS = new Set(
  (
    "a an the this that these those it its my your our their his her me us i we you he she they them im id i'd i'm i'll is are was were be been being am do does did " +
    'of for to in on at by from with as into and or but if so then than please kindly just some any all there here would could can should will shall may might ' +
    'have has had want wants need needs like let lets give show us what which who whom whose when where why how following quickly now also still ' +
    'same one thing something somebody someone using based'
  ).split(' '),
)

/** Words with an irregular stem. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['said', 'say'],
  ['says', 'say'],
  ['spoken', 'speak'],
  ['built', 'build'],
  ['wrote', 'write'],
  ['written', 'write'],
  ['spoke', 'speak'],
  ['bought', 'buy'],
  ['talks', 'talk'],
  ['taken', 'take'],
  ['made', 'make'],
  ['found', 'find'],
  ['e-mail', 'email'],
  ['e-mails', 'email'],
])

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_'’:-]|\.(?=\d))*/gu

/** The words of a sentence in order; an address, a quotation or a telephone number is one word. Linear time. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let from = 0
  const plain = (to: number): void => {
    for (const match of text.slice(from, to).matchAll(WORD)) add(match[0], from + match.index, null)
  }
  const add = (raw: string, start: number, entity: Entity | null): void => {
    const written = entity === null ? raw.replace(/(?<![':’-])[':’-]+$/u, '').replace(/['’]s$/u, '') : raw
    const word = written.toLowerCase()
    const between = text.slice(tokens.at(-1)?.end ?? 0, start)
    tokens.push({
      text: written,
      stem: entity === null ? stemOf(word) : '',
      start,
      end: start + (entity === null ? written.length : raw.length),
      entity,
      afterBreak: /[,:;.!?–—\n]/u.test(between),
      isFiller: entity === null && FILLERS.has(word.replace('’', "'")),
    })
  }
  for (const entity of entitiesOf(text)) {
    plain(entity.start)
    add(text.slice(entity.start, entity.end), entity.start, entity)
    from = entity.end
  }
  plain(text.length)
  return tokens
}

/** The stem of a word, equal for its forms. */
export function stemOf(given: string): string {
  const word = given.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  const known = IRREGULAR.get(word)
  if (known !== undefined) return stemOf(known)
  if (FILLERS.has(word) || word.length < 4) return word
  const base = withoutEnding(word)
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base
}

function withoutEnding(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('ing') && word.length > 5) return single(word.slice(0, -3))
  if (word.endsWith('ed') && word.length > 4 && !word.endsWith('eed')) return single(word.slice(0, -2))
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word
}

/** Without the letter that was doubled before an ending. */
function single(word: string): string {
  const last = word.at(-1) ?? ''
  return word.at(-2) === last && !'lsz'.includes(last) ? word.slice(0, -1) : word
}

/** True for a function word or polite phrase. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word.toLowerCase())
}
