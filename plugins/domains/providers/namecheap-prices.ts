import { provider } from '../../../core/sdk/index.js'
import { namecheap as vendor } from '../../_vendors/namecheap.js'
import { readTld } from '../checks/domain-name.js'
import { prices, type ExtensionPrice } from '../contract.js'
import { amountOf, currencyOf } from '../prices/amount.js'
import { namecheapAnswer } from '../prices/namecheap-answer.js'

const TRY_MS = 20_000

/** The account's full price list for one year, with promotions applied. */
export const namecheapPrices = provider(prices, {
  vendor,
  rank: 20,
  needs: ['client_ip'],
  timeoutMs: TRY_MS,
  run: async ({ tlds }, context) => {
    const requests = ['REGISTER', 'RENEW'].map((action) =>
      namecheapAnswer({ Command: 'namecheap.users.getPricing', ProductType: 'DOMAIN', ActionName: action }, context),
    )
    // When one fails the other may still be running: no request may outlive the try.
    await Promise.allSettled(requests)
    const [register, renew] = await Promise.all(requests)
    const renewals = new Map((renew?.products ?? []).map((product) => [product.tld, product]))
    const wanted = new Set(tlds)
    const rows = (register?.products ?? []).flatMap(({ tld, price, currency }): ExtensionPrice[] => {
      const read = readTld(tld)
      const money = currencyOf(currency)
      const registration = amountOf(price)
      if ('wrong' in read || money === null || registration === null || (wanted.size > 0 && !wanted.has(read.tld))) return []
      const again = renewals.get(tld)
      const renewal = currencyOf(again?.currency) === money ? amountOf(again?.price) : null
      return [{ tld: read.tld, registration, renewal, currency: money }]
    })
    return rows.length === 0 ? null : { prices: rows.slice(0, 5_000) }
  },
})
