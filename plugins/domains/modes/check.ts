import type { HandlerContext } from '../../../core/sdk/index.js'
import { readDomain } from '../checks/domain-name.js'
import type { DomainsInput } from '../contract.js'
import { entriesOf } from './entries.js'
import { lookNotes } from './look-notes.js'
import type { Answer } from './page.js'

/** Full domains, distinct and in the given order. */
export async function checkAvailability({ domains }: DomainsInput, context: HandlerContext): Promise<Answer> {
  const given = domains ?? []
  const read = given.flatMap((domain) => {
    const found = readDomain(domain)
    return 'wrong' in found ? [] : [found]
  })
  const once = [...new Map(read.map((each) => [each.domain, each])).values()]
  if (once.length < given.length)
    context.note(`${String(given.length - once.length)} domains were named more than once and are checked once.`)
  const cut = read.filter(({ cut }) => cut).map(({ domain }) => domain)
  if (cut.length > 0) context.note(`The registrable domains of the given names were checked: ${[...new Set(cut)].slice(0, 10).join(', ')}.`)
  lookNotes(
    once.map(({ name }) => name),
    context,
  )
  const entries = await entriesOf(
    once.map((each) => ({ ...each, category: null })),
    context,
  )
  return { domains: entries, total: entries.length, offset: 0, limit: entries.length }
}
