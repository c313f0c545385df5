import { nullable, Type } from '../../../core/sdk/index.js'
import type { Money } from '../contract.js'
import { currencyOf, premiumAmountOf } from './amount.js'

/** Of names that failed there are only errors. */
export const godaddyReply = Type.Object({
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      available: Type.Boolean(),
      definitive: Type.Optional(nullable(Type.Boolean())),
      price: Type.Optional(nullable(Type.Number())),
      currency: Type.Optional(nullable(Type.String())),
    }),
  ),
})

const MILLIONTHS = 1_000_000

/** GoDaddy's price of a first year, which it gives in millionths of the currency's unit; null where there is none. */
export function godaddyMoney(price: number | null | undefined, currency: string | null | undefined): Money | null {
  const amount = typeof price === 'number' && Number.isSafeInteger(price) ? premiumAmountOf((price / MILLIONTHS).toFixed(6)) : null
  const money = currencyOf(currency)
  return amount === null || money === null ? null : { registration: amount, renewal: null, currency: money }
}
