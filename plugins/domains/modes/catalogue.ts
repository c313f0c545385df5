import type { HandlerContext } from '../../../core/sdk/index.js'
import { catalogue, type DomainsInput } from '../contract.js'
import { pageOf, type Answer } from './page.js'

/** The whole catalogue from `offset` on, or the given extensions. */
export async function extensionCatalog({ tlds, offset }: DomainsInput, context: HandlerContext): Promise<Answer> {
  const { extensions } = await context.call(catalogue, { tlds: tlds ?? [] })
  const { page, total, limit } = pageOf(extensions, offset, extensions.length)
  return { extensions: [...page], total, offset, limit }
}
