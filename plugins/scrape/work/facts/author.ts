import { isRecord } from '../../../../core/sdk/json.js'
import { tidy, type Head } from '../head.js'
import type { Bylines } from './bylines.js'
import { announcesName, nameIn } from './names.js'

type Item = Readonly<Record<string, unknown>>
interface Name {
  readonly name: string
  readonly isPerson: boolean
}

const MOST_NAMES = 20
/** Items with other people's content, and items without text. */
const OTHERS =
  /^(?:Comment|UserComments|Answer|Review|UserReview|EmployerReview|CriticReview|Quotation|Claim|WebSite|Organization|Product|ImageObject)$/
const METAS = ['author', 'article:author', 'dc.creator', 'dcterms.creator', 'parsely-author', 'sailthru.author', 'byl']

/**
 * The authors of a page, joined by commas: from its meta fields, its items, then its visible text. Null when it names
 * nobody, or only itself: the name of the site or publisher is not an author unless the markup calls it a person.
 */
export function authorOf(head: Head, items: readonly Item[], bylines: Bylines): string | null {
  const known = new Known(items)
  const sites = new Set([...siteNames(head), ...items.flatMap((item) => known.siteNames(item))].map(folded))
  const ways: (() => readonly Name[])[] = [
    ...METAS.map((meta) => () => plain(head.metas(meta))),
    () => plain(head.metas('citation_author').map(inOrder)),
    () => known.authors(items),
    () => plain(labelled(head)),
    () => plain(bylines.names()),
  ]
  for (const way of ways) {
    const names = way().filter(({ name, isPerson }) => isPerson || !sites.has(folded(name)))
    if (names.length > 0) return tidy([...new Set(names.map(({ name }) => name))].slice(0, MOST_NAMES).join(', '), 500)
  }
  return null
}

/** Items by their ids, since others may name an author only by id (JSON-LD 1.1, 5: node identifiers). */
class Known {
  readonly #byId = new Map<string, Item>()

  constructor(items: readonly Item[]) {
    for (const item of items) this.#add(item)
  }

  /** The authors of the first item that has one. */
  authors(items: readonly Item[]): Name[] {
    for (const item of items.filter((item) => !typesOf(item).some((type) => OTHERS.test(type)))) {
      const about = [item, ...this.#all(item['mainEntity'])].filter(isRecord)
      for (const property of ['author', 'creator']) {
        const names = about.flatMap((each) => this.#names(each[property]))
        if (names.length > 0) return names
      }
    }
    return []
  }

  /** An item's names for the site or its publisher. */
  siteNames(item: Item): string[] {
    const named = [...this.#all(item['publisher']), ...(typesOf(item).includes('WebSite') ? [item] : [])]
    return named.filter((each) => !isPerson(each)).flatMap((each) => (isRecord(each) ? textsOf(each['name']) : textsOf(each)))
  }

  #names(value: unknown): Name[] {
    return this.#all(value).flatMap((each) => {
      if (!isRecord(each)) return plain(textsOf(each))
      const whole = textsOf(each['name'])
      const parts = ['givenName', 'additionalName', 'familyName'].flatMap((part) => textsOf(each[part]).slice(0, 1))
      const person = isPerson(each)
      return plain(whole.length > 0 ? whole : [parts.join(' ')]).map(({ name }) => ({ name, isPerson: person }))
    })
  }

  /** The values of a property, with ids replaced by their items. */
  #all(value: unknown): unknown[] {
    const values = isRecord(value) && Array.isArray(value['@list']) ? value['@list'] : value
    return (Array.isArray(values) ? values.slice(0, MOST_NAMES) : [values]).map((each: unknown) => {
      const id = isRecord(each) ? each['@id'] : each
      const named = typeof id === 'string' && (!isRecord(each) || each['name'] === undefined) ? this.#byId.get(id) : undefined
      return named ?? each
    })
  }

  #add(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) this.#add(each)
    if (!isRecord(value)) return
    const id = value['@id']
    if (typeof id === 'string' && value['name'] !== undefined && !this.#byId.has(id)) this.#byId.set(id, value)
    for (const each of Object.values(value)) if (typeof each === 'object') this.#add(each)
  }
}

function siteNames(head: Head): string[] {
  const names = ['og:site_name', 'application-name', 'apple-mobile-web-app-title'].flatMap((name) => head.metas(name))
  const [, ...suffixes] = (head.title ?? '').split(/\s[|–—·-]\s|\s?[|｜]\s?/u)
  return [...names, ...suffixes.slice(-1)]
}

/** Names in markup, split at bars. */
function plain(texts: readonly string[]): Name[] {
  const names = texts.flatMap((text) => text.slice(0, 2_000).split(/[|;]/)).map(nameIn)
  return names.filter((name) => name !== null).map((name) => ({ name, isPerson: false }))
}

/** Labels and values for link cards: `twitter:label1` "Written by", `twitter:data1` the name. */
function labelled(head: Head): readonly string[] {
  const number = ['1', '2'].find((number) => announcesName(head.meta(`twitter:label${number}`) ?? ''))
  return number === undefined ? [] : head.metas(`twitter:data${number}`)
}

/** `citation_author` may be "Last, First" (Google Scholar, Inclusion Guidelines). */
function inOrder(name: string): string {
  const [last = '', first, ...more] = name.split(',')
  return first === undefined || more.length > 0 ? name : `${first.trim()} ${last.trim()}`
}

function isPerson(value: unknown): boolean {
  return isRecord(value) && typesOf(value).includes('Person')
}

function typesOf({ '@type': type }: Item): string[] {
  return textsOf(type)
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value.slice(0, MOST_NAMES) : [value]).filter((each) => typeof each === 'string')
}

function folded(name: string): string {
  return name
    .toLowerCase()
    .replace(/^the\s/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
