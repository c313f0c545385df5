import { httpProvider } from '../../../core/sdk/index.js'
import { godaddy as vendor } from '../../_vendors/godaddy.js'
import { prices } from '../contract.js'
import { amountOf } from '../prices/amount.js'
import { godaddyMoney, godaddyReply } from '../prices/godaddy.js'

/** An unregistered name, whose price is that of an ordinary one. */
const NOBODY = 'qx7vk2zr9mtw4'
const MOST = 50

/** GoDaddy has no price list: the price of an available name below each extension, for the first year. */
export const godaddyPrices = httpProvider(prices, {
  vendor,
  rank: 30,
  timeoutMs: 15_000,
  serves: ({ tlds }) => tlds.length > 0 && tlds.length <= MOST,
  request: ({ tlds }) => ({
    method: 'POST',
    path: '/v1/domains/available',
    query: { checkType: 'FAST' },
    json: tlds.map((tld) => `${NOBODY}.${tld}`),
  }),
  reply: godaddyReply,
  map: ({ domains }, { tlds }) => {
    const rows = tlds.flatMap((tld) => {
      const row = domains.find(({ domain, available }) => available && domain.toLowerCase() === `${NOBODY}.${tld}`)
      const money = godaddyMoney(row?.price, row?.currency)
      const registration = amountOf(money?.registration)
      return money === null || registration === null ? [] : [{ tld, registration, renewal: null, currency: money.currency }]
    })
    return rows.length === 0 ? null : { prices: rows }
  },
})
