import { nullable, Type } from '../../../core/sdk/index.js'
import type { Money } from '../contract.js'
import { currencyOf, premiumAmountOf } from './amount.js'

/** Failed names have only errors. */
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

/** GoDaddy's price of a first year, given in millionths of the currency's unit; null without one. */
export function godaddyMoney(price: number | null | undefined, currency: string | null | undefined): Money | null {
  const amount = typeof price === 'number' && Number.isSafeInteger(price) ? premiumAmountOf((price / MILLIONTHS).toFixed(6)) : null
  const money = currencyOf(currency)
  return amount === null || money === null ? null : { registration: amount, renewal: null, currency: money }
}
