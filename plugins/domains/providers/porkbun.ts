import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { porkbun as vendor } from '../../_vendors/porkbun.js'
import { readTld } from '../checks/domain-name.js'
import { prices } from '../contract.js'
import { amountOf } from '../prices/amount.js'

const some = Type.Optional(nullable(Type.Union([Type.String(), Type.Number()])))
const reply = Type.Object({
  status: Type.Literal('SUCCESS'),
  pricing: Type.Record(Type.String(), Type.Object({ registration: some, renewal: some, specialType: Type.Optional(Type.Unknown()) })),
})

/** The full price list in US dollars, with valid promotions applied. Extensions outside the DNS are left out. */
export const porkbunPrices = httpProvider(prices, {
  vendor,
  rank: 10,
  timeoutMs: 8_000,
  request: () => ({ method: 'POST', path: '/pricing/get', json: {} }),
  reply,
  map: ({ pricing }, { tlds }) => {
    const wanted = new Set(tlds)
    const rows = Object.entries(pricing).flatMap(([name, { registration, renewal, specialType }]) => {
      const read = readTld(name.toLowerCase())
      if ('wrong' in read || (specialType !== undefined && specialType !== null)) return []
      const row = { tld: read.tld, registration: amountOf(registration), renewal: amountOf(renewal), currency: 'USD' }
      return (wanted.size === 0 || wanted.has(row.tld)) && (row.registration !== null || row.renewal !== null) ? [row] : []
    })
    return rows.length === 0 ? null : { prices: rows.slice(0, 5_000) }
  },
})
