/** The kind of a part of a sentence, by its form. */
export type EntityKind = 'url' | 'email' | 'domain' | 'phone' | 'quoted' | 'code' | 'ending'

/** A part of a sentence that is a literal value. */
export interface Entity {
  readonly kind: EntityKind
  /** The value: an address with its scheme, a number without blanks, the inside of quotation marks. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Quotation marks by the opening one. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['‘', '’'],
  ["'", "'"],
])
const PHONE = /\+\d[\d ().-]{5,22}\d/g
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u
const TOP = /^\p{L}{2,24}$/u
const LOCAL = /^[^\s@<>()[\],;:"\\]{1,64}$/u
const BEFORE = /^[([{<"'“„«‘,;:!?]+/u
const BEHIND = /(?<![)\]}>"'”“»’,;:!?.])[)\]}>"'”“»’,;:!?.]+$/u
/** File extensions that are not, or rarely, top-level domains. */
const FILE_ENDINGS = new Set(
  'txt csv pdf doc docx xls xlsx ppt pptx odt ods md json xml html htm yaml png jpg jpeg gif webp svg mp3 mp4 wav ogg m4a mkv mov avi zip tar gz js ts py sh rb css epub'.split(' '), // prettier-ignore
)

/** The addresses, telephone numbers, quotations and code in a text, in order, without overlaps. Linear time. */
export function entitiesOf(text: string): Entity[] {
  const found: Entity[] = []
  const add = (entity: Entity): void => {
    if (!found.some(({ start, end }) => entity.start < end && start < entity.end)) found.push(entity)
  }
  // The one that starts first contains the other: a quotation in code, or code in a quotation.
  for (const outer of [...codeIn(text), ...quotedIn(text)].sort((one, other) => one.start - other.start)) add(outer)
  for (const { 0: number, index } of text.matchAll(PHONE))
    add({ kind: 'phone', value: number.replace(/[^\d+]/g, ''), start: index, end: index + number.length })
  for (const { 0: chunk, index } of text.matchAll(/\S+/g)) {
    const lead = BEFORE.exec(chunk)?.[0].length ?? 0
    const bare = trimmed(chunk.slice(lead))
    const entity = named(bare)
    if (entity !== null) add({ ...entity, start: index + lead, end: index + lead + bare.length })
  }
  return found.sort((one, other) => one.start - other.start)
}

/** Without trailing punctuation; a bracket that was opened inside is kept. */
function trimmed(chunk: string): string {
  const bare = chunk.replace(/['’]s$/u, '').replace(BEHIND, '')
  return chunk[bare.length] === ')' && bare.includes('(') ? `${bare})` : bare
}

function named(text: string): Pick<Entity, 'kind' | 'value'> | null {
  if (/^https?:\/\/\S/i.test(text)) return { kind: 'url', value: text }
  const at = text.indexOf('@')
  if (at > 0) {
    const address = LOCAL.test(text.slice(0, at)) && isDomain(text.slice(at + 1))
    return address ? { kind: 'email', value: text } : null
  }
  if (/^\.\p{L}{2,24}$/u.test(text)) return { kind: 'ending', value: text.slice(1).toLowerCase() }
  const slash = text.search(/[/?#]/)
  const host = (slash === -1 ? text : text.slice(0, slash)).replace(/:\d{1,5}$/, '')
  if (!isDomain(host)) return null
  return slash === -1 ? { kind: 'domain', value: host.toLowerCase() } : { kind: 'url', value: `https://${text}` }
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  const top = labels.at(-1) ?? ''
  return labels.length > 1 && text.length < 254 && TOP.test(top) && labels.every((label) => LABEL.test(label)) && !FILE_ENDINGS.has(top)
}

function* codeIn(text: string): Generator<Entity> {
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('`', at)
    if (start === -1) return
    const mark = text.startsWith('```', start) ? '```' : '`'
    const close = text.indexOf(mark, start + mark.length)
    if (close === -1) return
    const inside = text.slice(start + mark.length, close)
    const value = mark === '`' ? inside : inside.replace(/^[a-z]*\n/, '').replace(/\n$/, '')
    if (value.trim() !== '') yield { kind: 'code', value, start, end: close + mark.length }
    at = close + mark.length
  }
}

function* quotedIn(text: string): Generator<Entity> {
  /** Marks without a closing one from here on. */
  const over = new Set<string>()
  for (let start = 0; start < text.length; start++) {
    const close = MARKS.get(text[start] ?? '')
    // An apostrophe is inside a word.
    if (close === undefined || over.has(close) || (start > 0 && !/[\s([{:]/u.test(text[start - 1] ?? ''))) continue
    const end = closing(text, start + 1, close)
    if (end === -1) {
      over.add(close)
      continue
    }
    const value = text.slice(start + 1, end).trim()
    const inner = named(value)
    if (value !== '') yield { kind: inner?.kind ?? 'quoted', value: inner?.value ?? value, start, end: end + 1 }
    start = end
  }
}

function closing(text: string, from: number, mark: string): number {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at + 1] ?? '')) return at
  return -1
}
