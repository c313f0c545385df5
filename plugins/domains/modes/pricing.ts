import { Fault, isDefinite, mostUseful, type HandlerContext } from '../../../core/sdk/index.js'
import { catalogue, type DomainsInput, type Price, type Priced } from '../contract.js'
import { priceOf, tablesOf, type VendorTable } from '../prices/tables.js'
import { isOpen } from '../catalogue/extensions.js'
import { pageOf, type Answer } from './page.js'

/** Ratio from which differing prices are noted. */
const FAR_APART = 5

/** The vendors' prices for extensions: the given ones, else the catalogue by page. */
export async function pricing({ tlds, offset }: DomainsInput, context: HandlerContext): Promise<Answer> {
  const { extensions } = await context.call(catalogue, { tlds: tlds ?? [] })
  const { page, total, limit } = pageOf(
    extensions.filter((extension) => tlds !== null || isOpen(extension)),
    offset,
  )
  const wanted = page.map(({ tld }) => tld)
  const { tables, failures } = await tablesOf(wanted, context, { listsOnly: false, noted: true })
  const priced = wanted.map((tld) => pricedOf(tld, tables))
  if (priced.every(({ price }) => price === null)) {
    const failed = failures.filter((fault) => !isDefinite(fault))
    throw failed.length > 0 ? mostUseful(failed) : new Fault('missing', 'No vendor has a price for these extensions.')
  }
  const apart = priced.filter(({ prices }) => farApart(prices)).map(({ tld }) => tld)
  if (apart.length > 0) context.note(`Prices of the vendors differ widely for ${apart.slice(0, 20).join(', ')}: compare before you buy.`)
  return { extensions: priced, total, offset, limit }
}

/** All prices of one extension, the cheapest first; `price` is that of the first vendor that has one. */
function pricedOf(tld: string, tables: readonly VendorTable[]): Priced {
  const prices = tables.flatMap(({ id, table: { rows, date } }) =>
    rows.filter((row) => row.tld === tld).map((row) => priceOf(row, { id, date })),
  )
  const [first] = prices
  return { tld, price: first ?? null, prices: [...prices].sort((one, other) => amountOf(one) - amountOf(other)) }
}

function farApart(prices: readonly Price[]): boolean {
  const [first] = prices
  const amounts = prices.filter(({ currency, registration }) => currency === first?.currency && registration !== null).map(amountOf)
  return amounts.length > 1 && Math.max(...amounts) > FAR_APART * Math.min(...amounts)
}

function amountOf({ registration }: Price): number {
  return registration ?? Infinity
}
