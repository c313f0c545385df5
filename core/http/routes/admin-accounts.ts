import { toMilli } from '../../store/amount.js'
import { validationFailed } from '../validation.js'
import { nullable, or, Type } from '../../sdk/index.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { createdKey, keyList, newKey } from '../../accounts/key.js'
import { deletedKey, keyPage } from './keys.js'

const accountId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false })
const keyOf = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 100 }), key_id: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
)
const summary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  balance: Type.Number(),
  held: Type.Number(),
  available: Type.Number(),
})
const detail = Type.Object({
  id: Type.String(),
  name: Type.String(),
  balance: Type.Number(),
  held: Type.Number(),
  available: Type.Number(),
  overage_limit: Type.Number(),
  concurrency: nullable(Type.Integer()),
  disabled: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
})
const ref = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  'x-says': 'must be printable ASCII without blanks, such as invoice-17',
  description: 'Your reference; sending it again has no effect.',
})
const credits = Type.Number({ minimum: -1e9, maximum: 1e9 })

/** The operator's account management: /admin/v1/accounts. */
export function adminAccountRoutes(services: HttpServices): Route[] {
  const { compiler, accounts } = services
  const admin = { access: 'admin', query: none } as const
  return [
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/accounts',
      id: 'adminListAccounts',
      summary: 'List accounts',
      description: 'Accounts with their balances.',
      params: none,
      query: Type.Object(
        { limit: or(Type.Integer({ minimum: 1, maximum: 1000 }), 100), offset: or(Type.Integer({ minimum: 0 }), 0) },
        { additionalProperties: false },
      ),
      body: none,
      response: Type.Object({ accounts: Type.Array(summary) }),
      problems: [],
      handle: async ({ query }) => ({ json: { accounts: await accounts.list(query) } }),
    }),
    route(compiler, {
      ...admin,
      method: 'POST',
      path: '/admin/v1/accounts',
      id: 'adminCreateAccount',
      summary: 'Create an account',
      description: 'A new account with an opening balance.',
      params: none,
      body: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 100 }),
          credits: or(Type.Number({ minimum: 0, maximum: 1e9, description: 'Opening balance.' }), 0),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ id: Type.String(), name: Type.String(), balance: Type.Number() }),
      problems: [],
      handle: async ({ body }) => {
        // Before the account is created, so that a refusal leaves no account.
        assertAmount(body.credits)
        return { json: await accounts.create(body.name, body.credits, 'admin') }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/accounts/{id}',
      id: 'adminGetAccount',
      summary: 'An account',
      description: 'Balance, limits and state of an account.',
      params: accountId,
      body: none,
      response: detail,
      problems: ['not-found'],
      handle: async ({ params }) => ({ json: await accounts.show(params.id) }),
    }),
    route(compiler, {
      ...admin,
      method: 'PATCH',
      path: '/admin/v1/accounts/{id}',
      id: 'adminChangeAccount',
      summary: 'Change an account',
      description: 'How far below zero it may go, how many calls it may have running, whether it is disabled.',
      params: accountId,
      body: Type.Object(
        {
          overage_limit: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
          concurrency: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 512 }))),
          disabled: Type.Optional(Type.Boolean()),
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
      response: detail,
      problems: ['not-found', 'conflict'],
      handle: async ({ params, body }) => ({ json: await accounts.change(params.id, body, 'admin') }),
    }),
    route(compiler, {
      ...admin,
      method: 'POST',
      path: '/admin/v1/accounts/{id}/grants',
      id: 'adminGrant',
      summary: 'Add credits',
      description: 'Posts a grant, or with a negative amount a correction, exactly once for each reference.',
      params: accountId,
      body: Type.Object({ amount: credits, ref, note: Type.Optional(Type.String({ maxLength: 200 })) }, { additionalProperties: false }),
      response: Type.Object({ account: Type.String(), ref: Type.String(), balance: Type.Number(), applied: Type.Boolean() }),
      problems: ['not-found', 'conflict'],
      handle: async ({ params, body }) => {
        const granted = await accounts.grant(params.id, { ...body, actor: 'admin' })
        services.balances.note(params.id, toMilli(granted.balance))
        return { json: granted }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/accounts/{id}/keys',
      id: 'adminListKeys',
      summary: 'Keys of an account',
      description: 'Active keys, as in /v1/keys.',
      params: accountId,
      query: keyPage,
      body: none,
      response: keyList,
      problems: ['not-found'],
      handle: async ({ params, query }) => {
        await accounts.show(params.id)
        return { json: await services.keys.list(params.id, query) }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'POST',
      path: '/admin/v1/accounts/{id}/keys',
      id: 'adminCreateKey',
      summary: 'Create a key for an account',
      description: 'As POST /v1/keys, without the bounds of a creating key.',
      params: accountId,
      body: newKey,
      response: createdKey,
      problems: ['not-found'],
      handle: async ({ params, body }) => {
        const key = await services.keys.create(params.id, { ...body, name: body.name ?? '' }, null)
        await accounts.audit('admin', 'key.create', params.id, { key_id: key.id })
        return { json: key }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'DELETE',
      path: '/admin/v1/accounts/{id}/keys/{key_id}',
      id: 'adminDeleteKey',
      summary: 'Revoke a key of an account',
      description: 'As DELETE /v1/keys/{key_id}.',
      params: keyOf,
      body: none,
      response: deletedKey,
      problems: ['not-found'],
      handle: async ({ params }) => {
        await services.keys.revoke(params.id, params.key_id, null)
        await accounts.audit('admin', 'key.revoke', params.id, { key_id: params.key_id })
        return { json: { success: true, message: `Key ${params.key_id} is revoked.` } }
      },
    }),
  ]
}

function assertAmount(credits: number): void {
  try {
    toMilli(credits)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw validationFailed([{ loc: ['body', 'credits'], msg: error.message, type: 'value_error' }])
  }
}
