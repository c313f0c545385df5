import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { isOpen, type Extension } from '../catalogue/extensions.js'
import { readDomain, readLabel } from '../checks/domain-name.js'
import { catalogue, type DomainsInput } from '../contract.js'
import { entriesOf, type Wanted } from './entries.js'
import { lookNotes } from './look-notes.js'
import { pageOf, type Answer } from './page.js'

/** One name below the extensions of the catalogue, the given ones or the typed one, by page. */
export async function searchExtensions(input: DomainsInput, context: HandlerContext): Promise<Answer> {
  const { name, typed } = nameOf(input)
  const { extensions } = await context.call(catalogue, { tlds: input.exact_extension && typed !== null ? [typed] : (input.tlds ?? []) })
  const named = input.exact_extension || input.tlds !== null
  const { page, total, limit } = pageOf(named ? extensions : extensions.filter((extension) => isSearched(extension, name)), input.offset)
  const wanted: Wanted[] = page.map(({ tld }) => ({ domain: `${name}.${tld}`, name, tld, category: null }))
  lookNotes([name], context)
  return { domains: await entriesOf(wanted, context), total, offset: input.offset, limit }
}

function nameOf({ query }: DomainsInput): { readonly name: string; readonly typed: string | null } {
  const given = query ?? ''
  const read = given.includes('.') ? readDomain(given) : readLabel(given)
  if ('wrong' in read) throw new Fault('invalid', `query: ${read.wrong}.`, { loc: ['query'] })
  return { name: read.name, typed: read.tld }
}

/** Closed extensions are not for sale, and internationalised ones accept only names of their own script. */
function isSearched(extension: Extension, name: string): boolean {
  return isOpen(extension) && (extension.theme !== 'internationalised' || name.startsWith('xn--'))
}
