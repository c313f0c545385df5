import { isRecord } from '../../../../core/sdk/json.js'
import type { Head } from '../head.js'
import { isoDate } from './dates.js'

type Items = readonly Readonly<Record<string, unknown>>[]

/**
 * When a page was published and last modified: from its meta fields, its items, then its only or marked time element.
 */
export function datesOf(
  head: Head,
  items: Items,
  times: readonly { readonly datetime: string; readonly published: boolean }[],
): { published: string | null; modified: string | null } {
  const marked = times.filter(({ published }) => published)
  const visible = (marked.length > 0 ? marked : times.length === 1 ? times : []).map(({ datetime }) => datetime)
  return {
    published: first([
      ...fields(head, ['article:published_time', 'og:published_time', 'datepublished', 'parsely-pub-date', 'dc.date.issued', 'dcterms.issued', 'dc.date', 'dcterms.created', 'date']), // prettier-ignore
      ...values(items, ['datePublished', 'dateCreated', 'uploadDate']),
      ...visible,
    ]),
    modified: first([
      ...fields(head, [
        'article:modified_time',
        'og:updated_time',
        'datemodified',
        'dcterms.modified',
        'dc.date.modified',
        'last-modified',
      ]),
      ...values(items, ['dateModified']),
    ]),
  }
}

function fields(head: Head, names: readonly string[]): (string | null)[] {
  return names.map((name) => head.meta(name))
}

/** Values of the items and of their main entities, one level down. */
function values(items: Items, names: readonly string[]): string[] {
  const all = [...items, ...items.flatMap(({ mainEntity }) => (isRecord(mainEntity) ? [mainEntity] : []))]
  return names.flatMap((name) => all.flatMap((item) => (typeof item[name] === 'string' ? [item[name]] : [])))
}

function first(texts: readonly (string | null)[]): string | null {
  return texts.map(isoDate).find((date) => date !== null) ?? null
}
