import type { Caller } from '../accounts/caller.js'
import { bearer, refused } from '../accounts/authenticate.js'
import { hashKey, KEY_PREFIX } from '../accounts/layout.js'
import { rateId } from '../limits/concurrency.js'
import { addressId, rateLimited } from '../limits/rate.js'
import { Problem } from '../problems/problem.js'
import type { HttpContext } from './exchange.js'
import type { HttpServices } from './services.js'

const WRONG_TOKEN = 'The admin token is wrong.'
const ADMIN =
  'Send the header Authorization: Bearer <admin token>: the token was printed at the first start, or is what CAPSTAN_ADMIN_TOKEN is set to.'

/** Authenticates a free read by key and applies its rate limit. Fills in the exchange. Throws 401 and 429 problems. */
export async function authenticateKey(services: HttpServices, ctx: HttpContext): Promise<void> {
  services.shedder.admit(false)
  const { key } = await authenticate(services, ctx, 'read')
  const limit = key.rate_limit_per_minute
  const { state, exceeded, waitSeconds } = await services.rates.consume(rateId(key.id), limit)
  ctx.state.exchange.rate = state
  if (exceeded) throw rateLimited(limit, waitSeconds, 'key')
  services.keyUses.used(key.id)
}

/** Authenticates a request by its key. Fills in the exchange. Throws 401 problems, and 429 after too many failures. */
export async function authenticate(services: HttpServices, ctx: HttpContext, use: 'charged' | 'read'): Promise<Caller> {
  const { exchange } = ctx.state
  const authorization = ctx.req.headers.authorization || undefined
  if (authorization === undefined && ctx.get('x-api-key') !== '') throw refused('The API key is not accepted in the header X-API-Key.')
  const caller = await services.authenticator.authenticate(authorization, exchange.address, use)
  exchange.caller = caller
  exchange.balance = services.balances.of(caller)
  return caller
}

/** Applies the rate limit of the client's address. */
export async function limitAddress(services: HttpServices, ctx: HttpContext): Promise<void> {
  const { exchange } = ctx.state
  const limit = services.settings.limits.address_per_minute
  const { state, exceeded, waitSeconds } = await services.rates.consume(addressId(exchange.address), limit)
  exchange.rate = state
  if (exceeded) throw rateLimited(limit, waitSeconds, 'address')
}

/** Authenticates the operator. Failures count as failed keys of the address; a token used there before still works. */
export function authenticateAdmin(services: HttpServices, ctx: HttpContext): void {
  const { exchange } = ctx.state
  const [scheme = '', token = ''] = ctx.get('authorization').split(' ', 2)
  const hash = hashKey(token)
  services.logins.admit(exchange.address, hash)
  if (scheme.toLowerCase() === 'bearer' && services.adminToken.matches(token)) return services.logins.worked(exchange.address, hash)
  services.logins.failed(exchange.address)
  const given = bearer(ctx.get('authorization'), { name: 'admin token', action: ADMIN })
  throw new Problem(
    'invalid-api-key',
    given.startsWith(KEY_PREFIX) ? 'This is an API key, which the admin API does not accept.' : WRONG_TOKEN,
    { action: ADMIN },
  )
}
