import { Problem } from '../../problems/problem.js'
import { withShownRefs } from '../../credits/references.js'
import type { AccountService } from '../../credits/account-service.js'
import { orderFaults, REST } from '../../config/waterfall.js'
import type { Suspension } from '../../dispatch/suspension.js'
import { nullable, or, Type, type SchemaCompiler } from '../../sdk/index.js'
import type { History } from '../../usage/history.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { statsShape } from './account.js'

const providerOf = Type.Object(
  { port: Type.String({ maxLength: 100 }), vendor: Type.String({ maxLength: 100 }) },
  { additionalProperties: false },
)
const portOf = Type.Object({ port: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
const done = Type.Object({ success: Type.Boolean() })

/** What the auditor found. */
export interface LedgerReport {
  readonly ok: boolean
  readonly accounts: number
  readonly entries: number
  readonly problems: readonly string[]
}

/** What the administrator's routes of the gateway itself use beside the HTTP services. */
export interface AdminDeps {
  readonly accounts: AccountService
  readonly history: History
  readonly auditLedger: () => Promise<LedgerReport>
}

/** The operator's view of the gateway: providers, waterfalls, reload, audit, usage. */
export function adminGatewayRoutes(
  compiler: SchemaCompiler,
  services: HttpServices,
  { accounts, history, auditLedger }: AdminDeps,
): Route[] {
  const admin = { access: 'admin', params: none, query: none, body: none, problems: [] } as const
  return [
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/providers',
      id: 'adminListProviders',
      summary: 'Providers and their state',
      description:
        'Every port with its providers in the order in force, what is dormant or suspended, and why. Under `unknown`: what the operator suspended and no plugin in use has; it can be resumed.',
      response: Type.Unknown(),
      handle: () => Promise.resolve({ json: { ports: providerReport(services), unknown: unknownSuspended(services) } }),
    }),
    ...(['suspend', 'resume'] as const).map((action) =>
      route(compiler, {
        ...admin,
        method: 'POST',
        path: `/admin/v1/providers/{port}/{vendor}/${action}`,
        id: `admin${action === 'suspend' ? 'Suspend' : 'Resume'}Provider`,
        summary: action === 'suspend' ? 'Take a provider out' : 'Bring a provider back',
        description:
          action === 'suspend'
            ? 'Until it is resumed, also over a restart. Kept in the store and seen by all replicas within seconds.'
            : 'At once, whatever it was suspended for; on the other replicas within seconds.',
        params: providerOf,
        body:
          action === 'suspend'
            ? Type.Object({ reason: or(Type.String({ maxLength: 200 }), 'suspended by the operator') }, { additionalProperties: false })
            : none,
        response: done,
        problems: ['not-found'],
        handle: async ({ params, body }) => {
          const { port, vendor } = params
          const { operatorSuspensions } = services
          const id = `${port}/${vendor}`
          if (action === 'suspend' || !operatorSuspensions.has(id)) assertProvider(services, port, vendor)
          // Before the change, so that a store that goes away in between leaves none that nobody recorded.
          await accounts.audit('admin', `provider.${action}`, id, { ...body })
          if (action === 'resume') await operatorSuspensions.resume(id)
          else await operatorSuspensions.suspend(id, 'reason' in body ? String(body.reason) : 'suspended by the operator')
          return { json: { success: true } }
        },
      }),
    ),
    route(compiler, {
      ...admin,
      method: 'PUT',
      path: '/admin/v1/waterfall/{port}',
      id: 'adminPutWaterfall',
      summary: 'Set the order of a port',
      description:
        'Vendor ids in order, the whole order; "..." stands for the vendors that are not named, and only ids with a leading "-" leave those out of the default order. Kept in the store and seen by all replicas.',
      params: portOf,
      body: Type.Object(
        {
          order: Type.Array(
            Type.String({
              minLength: 1,
              maxLength: 60,
              pattern: '^(-?[a-z0-9][a-z0-9._-]*|[.]{3})$',
              'x-says': 'must be the id of a vendor, one with a leading -, or ...',
            }),
            { minItems: 1, maxItems: 50 },
          ),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ port: Type.String(), order: Type.Array(Type.String()) }),
      problems: ['not-found'],
      handle: async ({ params, body }) => {
        assertOrder(services, params.port, body.order)
        await services.orders.put(params.port, body.order)
        await accounts.audit('admin', 'waterfall.put', params.port, { order: body.order })
        return { json: { port: params.port, order: orderInForce(services, params.port) } }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'DELETE',
      path: '/admin/v1/waterfall/{port}',
      id: 'adminDeleteWaterfall',
      summary: 'Drop the order of a port',
      description: 'Back to the order of the configuration.',
      params: portOf,
      response: Type.Object({ port: Type.String(), order: Type.Array(Type.String()) }),
      problems: ['not-found'],
      handle: async ({ params }) => {
        if (!(await services.orders.remove(params.port))) throw new Problem('not-found', 'No order was set for this port.')
        await accounts.audit('admin', 'waterfall.delete', params.port, {})
        return { json: { port: params.port, order: orderInForce(services, params.port) } }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'POST',
      path: '/admin/v1/reload',
      id: 'adminReload',
      summary: 'Read plugins and configuration again',
      description:
        'Running calls end on what they began with. A failed reload keeps the old state and says why; any other is followed by every other replica within seconds. A plugin in use whose files cannot be used now stays as it was: it is named under `outdated`; settings that were changed and that only a restart applies are named under `needs_restart`, and all others are applied. `success` is false when there is any of these.',
      response: Type.Object({
        success: Type.Boolean(),
        version: Type.String(),
        outdated: Type.Array(Type.Object({ plugin: Type.String(), reason: Type.String() })),
        needs_restart: Type.Array(Type.String()),
      }),
      problems: ['conflict'],
      handle: async () => {
        await services.reloadAll()
        await accounts.audit('admin', 'reload', 'gateway', {})
        const { version, plugins } = services.registry()
        const outdated = plugins.flatMap(({ name, outdated: reason }) => (reason === null ? [] : [{ plugin: name, reason }]))
        const waiting = [...services.needRestart()]
        return { json: { success: outdated.length + waiting.length === 0, version, outdated, needs_restart: waiting } }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/ledger/check',
      id: 'adminLedgerCheck',
      summary: 'Audit the ledger',
      description: 'An independent check that every balance is the sum of its entries.',
      response: Type.Object({ ok: Type.Boolean(), accounts: Type.Integer(), entries: Type.Integer(), problems: Type.Array(Type.String()) }),
      handle: async () => {
        const report = await auditLedger()
        return { json: { ...report, problems: report.problems.map(withShownRefs) } }
      },
    }),
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/usage',
      id: 'adminUsage',
      summary: 'Usage of all accounts',
      description: 'As /v1/calls/stats, over every account or one.',
      query: Type.Object(
        { days: or(Type.Integer({ minimum: 1, maximum: 365 }), 7), account: or(nullable(Type.String({ maxLength: 100 })), null) },
        { additionalProperties: false },
      ),
      response: statsShape,
      handle: async ({ query }) => ({ json: await history.stats(query.account, query.days, null) }),
    }),
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/audit',
      id: 'adminAudit',
      summary: "The operator's changes",
      description: 'Every change made by the admin API or the command line, newest first.',
      query: Type.Object(
        { limit: or(Type.Integer({ minimum: 1, maximum: 500 }), 100), offset: or(Type.Integer({ minimum: 0 }), 0) },
        { additionalProperties: false },
      ),
      response: Type.Unknown(),
      handle: async ({ query }) => ({
        json: {
          entries: (await services.store.settings.auditLog(query)).map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
        },
      }),
    }),
  ]
}

function providerReport(services: HttpServices) {
  const suspended = new Map(services.suspensions.list().map((suspension) => [suspension.id, suspension]))
  return [...services.registry().ports.values()].map(({ port, all, providers }) => {
    const order = providers.map(({ vendor }) => vendor.id)
    return {
      id: port.id,
      order,
      providers: all.map(({ vendor, kind, state, reason, settings }) => {
        const suspension = suspended.get(`${port.id}/${vendor.id}`)
        return {
          id: vendor.id,
          kind,
          state,
          reason,
          settings,
          in_order: order.includes(vendor.id),
          suspended: suspension === undefined ? null : suspensionReport(suspension),
        }
      }),
    }
  })
}

function suspensionReport({ why, until, manual }: Suspension) {
  return { why, until: Number.isFinite(until) ? new Date(until).toISOString() : null, manual }
}

/** What the operator suspended of providers that no plugin in use has. */
function unknownSuspended({ suspensions, registry }: HttpServices) {
  const { ports } = registry()
  return suspensions.list().flatMap((suspension) => {
    const [port = '', id = ''] = suspension.id.split('/', 2)
    const known = ports.get(port)?.all.some(({ vendor }) => vendor.id === id) ?? false
    return known || !suspension.manual ? [] : [{ port, id, suspended: suspensionReport(suspension) }]
  })
}

function assertProvider(services: HttpServices, port: string, vendor: string): void {
  const known =
    services
      .registry()
      .ports.get(port)
      ?.all.some((provider) => provider.vendor.id === vendor) ?? false
  if (!known)
    throw new Problem(
      'not-found',
      `There is no provider ${vendor.slice(0, 60)} of ${port.slice(0, 60)}; GET /admin/v1/providers lists all.`,
    )
}

function assertOrder(services: HttpServices, port: string, order: readonly string[]): void {
  if (!services.registry().ports.has(port))
    throw new Problem('not-found', `There is no port ${port.slice(0, 60)}; GET /admin/v1/providers lists all.`)
  const ids = new Set(
    services
      .registry()
      .ports.get(port)
      ?.all.map(({ vendor }) => vendor.id) ?? [],
  )
  const wrong = [
    ...orderFaults(order).map(({ index, says }) => ({ loc: ['body', 'order', index], msg: `the order ${says}`, type: 'enum' })),
    ...order.flatMap((entry, index) =>
      entry === REST || ids.has(entry.replace(/^-/, ''))
        ? []
        : [{ loc: ['body', 'order', index], msg: `no vendor of ${port} is called "${entry}"`, type: 'enum' }],
    ),
  ]
  if (wrong.length > 0) throw new Problem('validation-failed', wrong.map((item) => item.msg).join('; '), { validation: wrong })
}

function orderInForce(services: HttpServices, port: string): string[] {
  return (
    services
      .registry()
      .ports.get(port)
      ?.providers.map(({ vendor }) => vendor.id) ?? []
  )
}
