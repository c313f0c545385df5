import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { catalogue, type DomainsInput } from '../contract.js'
import { notePrices, usualPrices } from '../prices/tables.js'
import { fittingExtensions } from './fitting.js'
import { groundOf } from './ground.js'
import type { Answer } from './page.js'

const MOST = 20

/** Extensions that suit a business, each with the reason and its usual price. */
export async function suggestExtensions(input: DomainsInput, context: HandlerContext): Promise<Answer> {
  const ground = await groundOf(input, context)
  const { extensions: known } = await context.call(catalogue, { tlds: input.tlds ?? [] })
  const allowed = new Set(known.map(({ tld }) => tld))
  const fitting = fittingExtensions(ground, Infinity)
    .filter(({ tld }) => allowed.has(tld))
    .slice(0, MOST)
  if (fitting.length === 0) throw new Fault('missing', 'None of these extensions fits the description.')
  const { found: prices, failure } = await usualPrices(
    fitting.map(({ tld }) => tld),
    context,
  )
  const extensions = fitting.map(({ tld, reason }) => {
    const price = prices.get(tld)
    const shown = price === undefined || price.registration === null ? null : `${price.registration.toFixed(2)} ${price.currency}`
    return { tld, reason, price: shown }
  })
  notePrices(
    extensions.filter(({ price }) => price === null).map(({ tld }) => tld),
    failure,
    context,
  )
  return { extensions, total: extensions.length, offset: 0, limit: MOST }
}
