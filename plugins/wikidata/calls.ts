import { Type, type Call } from '../../core/sdk/index.js'
import { LANGUAGES } from './entity.js'

/** Maximum ids per request. */
const MOST_IDS = 50

interface SearchOptions {
  readonly contact: string
  /** Maximum items, 1 to 50. */
  readonly limit: number
}

/** The reply to `searchCall`; an empty list means no results. */
export const searchReply = Type.Object({ search: Type.Array(Type.Object({ id: Type.String() })) })

/** The reply to `entitiesCall`; `entityOf` reads it. */
export const entitiesReply = Type.Object({ entities: Type.Record(Type.String(), Type.Unknown()) })

/** Items whose label or alias starts with a text, best first. */
export function searchCall(search: string, { contact, limit }: SearchOptions): Call {
  return {
    path: '/w/api.php',
    query: { action: 'wbsearchentities', format: 'json', search, language: 'en', uselang: 'en', type: 'item', limit, maxlag: 5 },
    headers: userAgent(contact),
  }
}

/** Items by id, at most 50 (`idBatches`), with the parts named in `props`. */
export function entitiesCall(
  ids: readonly string[],
  { contact, props }: { readonly contact: string; readonly props: readonly ('labels' | 'descriptions' | 'aliases' | 'claims')[] },
): Call {
  return {
    path: '/w/api.php',
    query: {
      action: 'wbgetentities',
      format: 'json',
      ids: ids.join('|'),
      props: props.join('|'),
      languages: LANGUAGES.join('|'),
      maxlag: 5,
    },
    headers: userAgent(contact),
  }
}

/** Splits ids into lists for one request each. */
export function idBatches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, at) => ids.slice(at * MOST_IDS, (at + 1) * MOST_IDS))
}

/** The user agent required by Wikimedia's policy, with the operator's contact; every request has it. */
export function userAgent(contact: string): Readonly<Record<string, string>> {
  return { 'user-agent': `Capstan/1.0 (${contact}) node/${process.versions.node}` }
}

/** The reply to `statementSearchCall`; titles are ids. */
export const statementSearchReply = Type.Object({ query: Type.Object({ search: Type.Array(Type.Object({ title: Type.String() })) }) })

/** Items with an identifier, such as P6634 for the name of a LinkedIn profile; an identifier with a quote or a bar cannot be searched. */
export function statementSearchCall(property: string, identifier: string, { contact, limit }: SearchOptions): Call {
  return {
    path: '/w/api.php',
    query: {
      action: 'query',
      list: 'search',
      format: 'json',
      srsearch: `haswbstatement:"${property}=${identifier.replace(/["|]/g, ' ')}"`,
      srlimit: limit,
      srprop: '',
      maxlag: 5,
    },
    headers: userAgent(contact),
  }
}
