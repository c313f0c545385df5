import { authorise, type Caller } from '../../accounts/caller.js'
import { KEY_LIMITS } from '../../accounts/bounds.js'
import { nullable, or, Type } from '../../sdk/index.js'
import type { Exchange } from '../exchange.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'

const time = Type.String({ format: 'date-time' })
const restrictions = {
  scopes: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      description: 'Capability ids, or prefixes of ids followed by *, "manage" and "files.upload"; null is everything.',
    }),
  ),
  credit_limit: nullable(Type.Number({ minimum: 0, maximum: 1e9, description: 'Most credits the key may ever spend.' })),
  credit_limit_per_day: nullable(Type.Number({ minimum: 0, maximum: 1e9, description: 'Most credits the key may spend in a UTC day.' })),
  allowed_ips: nullable(
    Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 100,
      description: 'Addresses and CIDR ranges the key may be used from, at least one; null is any.',
    }),
  ),
}

/** Body of key creation, shared with the admin API. */
export const newKey = Type.Object(
  {
    name: Type.Optional(Type.String({ default: '', maxLength: KEY_LIMITS.name, description: 'Label of the key.' })),
    rate_limit_per_minute: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: KEY_LIMITS.rate,
        description: "Requests a minute: default 60, or the creating key's limit if that key is restricted and its limit is lower.",
      }),
    ),
    expires_in_days: Type.Optional(
      nullable(Type.Number({ exclusiveMinimum: 0, maximum: KEY_LIMITS.days, description: 'Days until the key expires; null is never.' })),
    ),
    scopes: Type.Optional(restrictions.scopes),
    credit_limit: Type.Optional(restrictions.credit_limit),
    credit_limit_per_day: Type.Optional(restrictions.credit_limit_per_day),
    allowed_ips: Type.Optional(restrictions.allowed_ips),
  },
  { additionalProperties: false },
)

const shown = {
  id: Type.String(),
  name: Type.String(),
  key_prefix: Type.String({ description: 'The first 12 characters of the key.' }),
  rate_limit_per_minute: Type.Integer(),
  created_at: time,
  expires_at: nullable(time),
  ...restrictions,
}

/** The answer that carries the key, once. */
export const createdKey = Type.Object({ ...shown, key: Type.String({ description: 'The key itself; it is shown this once.' }) })
/** The list of active keys. */
export const keyList = Type.Object({
  total: Type.Integer({ description: 'Active keys of the account.' }),
  keys: Type.Array(Type.Object({ ...shown, last_used_at: nullable(time), credits_used: Type.Number() })),
})
/** Paging of a key list, shared with the admin API. */
export const keyPage = Type.Object(
  {
    limit: or(Type.Integer({ minimum: 1, maximum: 1000, description: 'Keys on a page.' }), 1000),
    offset: or(Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Keys to skip.' }), 0),
  },
  { additionalProperties: false },
)
/** The answer to a deletion. */
export const deletedKey = Type.Object({ success: Type.Boolean(), message: Type.String() })
const keyId = Type.Object({ key_id: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false })

/** The caller, if allowed to manage the account. */
function manager(exchange: Exchange): Caller {
  const { caller } = exchange
  if (caller === null) throw new TypeError('a route that manages the account was reached without a key')
  authorise(caller, 'manage', exchange.address)
  return caller
}

/** Key management: /v1/keys. */
export function keyRoutes({ compiler, keys }: HttpServices): Route[] {
  return [
    route(compiler, {
      method: 'GET',
      path: '/v1/keys',
      id: 'listKeys',
      summary: 'List API keys',
      description: 'Active keys of the account, oldest first. The keys themselves are never shown again.',
      access: 'key',
      params: none,
      query: keyPage,
      body: none,
      response: keyList,
      problems: ['key-not-allowed'],
      handle: async ({ exchange, query }) => ({ json: await keys.list(manager(exchange).account.id, query) }),
    }),
    route(compiler, {
      method: 'POST',
      path: '/v1/keys',
      id: 'createKey',
      summary: 'Create an API key',
      description: 'A new key of the account, shown this once. It never grants more than the key that creates it.',
      access: 'key',
      params: none,
      query: none,
      body: newKey,
      response: createdKey,
      problems: ['key-not-allowed'],
      handle: async ({ exchange, body }) => {
        const { account, key } = manager(exchange)
        return {
          json: await keys.create(account.id, { ...body, name: body.name ?? '' }, key),
        }
      },
    }),
    route(compiler, {
      method: 'DELETE',
      path: '/v1/keys/{key_id}',
      id: 'deleteKey',
      summary: 'Revoke an API key',
      description:
        'The key is refused from then on: for paid calls at once, for free reads within a second. Revoking it again returns the same answer. A key may revoke itself and keys it could have created.',
      access: 'key',
      params: keyId,
      query: none,
      body: none,
      response: deletedKey,
      problems: ['key-not-allowed', 'not-found'],
      handle: async ({ exchange, params }) => {
        const { account, key } = manager(exchange)
        await keys.revoke(account.id, params.key_id, key)
        return { json: { success: true, message: `Key ${params.key_id} is revoked.` } }
      },
    }),
    route(compiler, {
      method: 'POST',
      path: '/v1/keys/{key_id}/rotate',
      id: 'rotateKey',
      summary: 'Replace an API key',
      description: 'A new key with the same name, limits and scopes. The old one stays valid for the overlap.',
      access: 'key',
      params: keyId,
      query: none,
      body: Type.Object(
        {
          overlap_seconds: Type.Optional(
            Type.Integer({ default: 0, minimum: 0, maximum: KEY_LIMITS.overlap, description: 'Seconds the old key stays valid.' }),
          ),
        },
        { additionalProperties: false },
      ),
      response: createdKey,
      problems: ['key-not-allowed', 'not-found'],
      handle: async ({ exchange, params, body }) => ({
        json: await keys.rotate(manager(exchange).account.id, params.key_id, body.overlap_seconds ?? 0, manager(exchange).key),
      }),
    }),
  ]
}
