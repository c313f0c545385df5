import { hint } from '../../sdk/nearest.js'
import { toCredits } from '../../store/amount.js'
import type { Registry } from '../../loader/types.js'
import { authorise } from '../../accounts/caller.js'
import { Problem } from '../../problems/problem.js'
import { detailsOf, nullable, quote, Type } from '../../sdk/index.js'
import { agentInput } from '../sent-body.js'
import { AGENT_PATH, capabilitiesOf, named } from '../direction.js'
import type { Exchange } from '../exchange.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { checkedInput, validationFailed } from '../validation.js'

const product = Type.Optional(Type.String({ default: 'agent', maxLength: 60, description: 'Product catalogue to read.' }))
/** Most characters of a mistyped endpoint that are compared with known ones. */
const LONGEST_HINT = 60
const count = Type.Integer()
const sums = { calls: count, credits: Type.Number(), errors: count }

const callRecord = Type.Object({
  id: Type.String(),
  endpoint: Type.String(),
  capability: Type.String(),
  product: Type.String(),
  mode: nullable(Type.String()),
  status: Type.Integer(),
  success: Type.Boolean(),
  credits_used: Type.Number(),
  provider_used: nullable(Type.String()),
  providers_tried: Type.Array(Type.String()),
  response_time_ms: Type.Number(),
  error_type: nullable(
    Type.String({
      description: 'Slug of the problem; client-closed (status 499) for a caller that disconnected before the call succeeded.',
    }),
  ),
  key_id: Type.String(),
  request_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  via: nullable(Type.String()),
  aborted: Type.Boolean({ description: 'The caller disconnected before the answer was ready.' }),
})

/** Statistics, shared with the admin API. */
export const statsShape = Type.Object({
  days: Type.Integer(),
  totals: Type.Object({ ...sums, successes: count }),
  by_day: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...sums })),
  by_endpoint: Type.Array(Type.Object({ endpoint: Type.String(), capability: Type.String(), ...sums })),
})

/**
 * Any valid key of the account may read it, whatever its scopes, so that a restricted key can see what it may still
 * spend. Changing keys requires `manage`.
 */
function accountOf(exchange: Exchange): string {
  const { caller } = exchange
  if (caller === null) throw new TypeError('an account route was reached without a key')
  authorise(caller, null, exchange.address)
  return caller.account.id
}

/** Routes of an account: its balance, its calls, price estimates. */
export function accountRoutes(services: HttpServices): Route[] {
  const { compiler, history } = services
  return [
    route(compiler, {
      method: 'GET',
      path: '/v1/account',
      id: 'getAccount',
      summary: 'Balance of the account',
      description: 'Credits of the account: balance, what running calls hold, what is available, and how far below zero it may go.',
      access: 'key',
      params: none,
      query: none,
      body: none,
      response: Type.Object({
        id: Type.String(),
        name: Type.String(),
        balance: Type.Number(),
        held: Type.Number(),
        available: Type.Number(),
        overage_limit: Type.Number(),
      }),
      problems: ['key-not-allowed'],
      handle: async ({ exchange }) => {
        const account = await services.store.accounts.get(accountOf(exchange))
        if (account === null) throw new Problem('not-found', 'The account of this key no longer exists.')
        const { id, name, balance, held, available, overage } = account
        services.balances.note(id, balance)
        exchange.balance = balance
        return {
          json: {
            id,
            name,
            balance: toCredits(balance),
            held: toCredits(held),
            available: toCredits(available),
            overage_limit: toCredits(overage),
          },
        }
      },
    }),
    route(compiler, {
      method: 'GET',
      path: '/v1/calls',
      id: 'listCalls',
      summary: 'Call history',
      description:
        'Calls of the account that reached the ledger, newest first, for as many days as the operator keeps them (`history.days`, 90 by default).',
      access: 'key',
      params: none,
      query: Type.Object(
        {
          endpoint: Type.Optional(Type.String({ maxLength: 200, description: 'Path or id of a capability.' })),
          days: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 365, description: 'Only calls of the last days; absent means all that are kept.' }),
          ),
          limit: Type.Optional(Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Calls on a page.' })),
          offset: Type.Optional(Type.Integer({ default: 0, minimum: 0, maximum: 10_000_000, description: 'Calls to skip.' })),
          product,
        },
        { additionalProperties: false },
      ),
      body: none,
      response: Type.Object({ calls: Type.Array(callRecord), total: count, limit: count, offset: count }),
      problems: ['key-not-allowed'],
      handle: async ({ exchange, query }) => {
        const { endpoint, days, limit = 50, offset = 0 } = query
        const capabilities = capabilitiesOf(services, query.product ?? 'agent')
        const account = accountOf(exchange)
        const found = await history.calls(account, { endpoint, days, limit, offset, capabilities })
        if (endpoint !== undefined && found.total === 0) assertEndpoint(services.registry(), endpoint)
        return { json: found }
      },
    }),
    route(compiler, {
      method: 'GET',
      path: '/v1/calls/stats',
      id: 'getStats',
      summary: 'Usage by day and endpoint',
      description:
        'Calls, credits and errors of the last days, by UTC day and by endpoint. Calls refused before any credit was held count as errors.',
      access: 'key',
      params: none,
      query: Type.Object(
        {
          days: Type.Optional(Type.Integer({ default: 7, minimum: 1, maximum: 365, description: 'Days to count, today included.' })),
          product,
        },
        { additionalProperties: false },
      ),
      body: none,
      response: statsShape,
      problems: ['key-not-allowed'],
      handle: async ({ exchange, query }) => ({
        json: await history.stats(accountOf(exchange), query.days ?? 7, capabilitiesOf(services, query.product ?? 'agent')),
      }),
    }),
    route(compiler, {
      method: 'POST',
      path: '/v1/estimate',
      id: 'estimate',
      summary: 'Price of a call',
      description: 'The price of a call; the estimate itself is free. The parameters are checked exactly as the call would check them.',
      access: 'key',
      params: none,
      query: none,
      body: agentInput,
      response: Type.Object({
        capability: Type.String(),
        credits: Type.Number(),
        breakdown: Type.Array(Type.Object({ item: Type.String(), credits: Type.Number() })),
        details: Type.Optional(
          Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
            description: 'What else is known of the call before it is made; only of capabilities that say so.',
          }),
        ),
      }),
      problems: [],
      handle: ({ body, exchange }) => {
        accountOf(exchange)
        const loaded = named(services.registry(), body.capability)
        const input = checkedInput(loaded, body.params ?? {}, ['body', 'params'])
        const credits = toCredits(loaded.quote(input))
        const details = detailsOf(loaded.capability, input)
        return Promise.resolve({
          json: {
            capability: loaded.capability.id,
            credits,
            breakdown: breakdown(loaded.prices, (table) => quote(loaded.capability, input, table)),
            ...(details === undefined ? {} : { details }),
          },
        })
      },
    }),
  ]
}

/** Throws `validation-failed` for an unknown path or id. A removed capability stays valid as long as the history has its calls. */
function assertEndpoint({ byPath, capabilities }: Registry, endpoint: string): void {
  if (byPath.has(endpoint) || capabilities.has(endpoint) || endpoint === AGENT_PATH) return
  const known = endpoint.startsWith('/') ? [...byPath.keys()] : [...capabilities.keys()]
  const msg = `no capability has this path or id, and the history has no call of it${hint(endpoint.slice(0, LONGEST_HINT), known)}`
  throw validationFailed([{ loc: ['query', 'endpoint'], msg, type: 'enum' }])
}

/** Splits a price by rows of the price table: a row's share is the decrease of the price when the row is free. */
function breakdown(
  prices: Readonly<Record<string, number>>,
  price: (table: Readonly<Record<string, number>>) => number,
): { item: string; credits: number }[] {
  const whole = price(prices)
  return Object.keys(prices).flatMap((item) => {
    const share = Math.round((whole - price({ ...prices, [item]: 0 })) * 1000) / 1000
    return share === 0 ? [] : [{ item, credits: share }]
  })
}
