import { authorise, type Caller } from '../../accounts/caller.js'
import { createdKey, keyList, newKey } from '../../accounts/key.js'
import { KEY_LIMITS } from '../../accounts/layout.js'
import { or, Type } from '../../sdk/index.js'
import type { Exchange } from '../exchange.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'

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
