import { withShownRefs } from '../../credits/references.js'
import { gatewayDiagnosis } from '../../diagnosis/types.js'
import { portReport, providersReport, type PortReport } from '../../dispatch/provider-report.js'
import { nullable, or, Type, type Static } from '../../sdk/index.js'
import type { Problem } from '../../problems/problem.js'
import { none, route, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { validationFailed } from '../validation.js'
import { statsShape } from './account.js'

const providerOf = Type.Object(
  { port: Type.String({ maxLength: 100 }), vendor: Type.String({ maxLength: 100 }) },
  { additionalProperties: false },
)
const portOf = Type.Object({ port: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
const done = Type.Object({ success: Type.Boolean() })
const { order, order_from, left_out } = portReport.properties
const ordered = Type.Object({ port: Type.String(), order, order_from, left_out })

function unknownAccount(): Problem {
  return validationFailed([{ loc: ['query', 'account'], msg: 'no account has this id; GET /admin/v1/accounts shows all', type: 'enum' }])
}

function orderOf({ id, order, order_from, left_out }: PortReport): Static<typeof ordered> {
  return { port: id, order, order_from, left_out }
}

/** The operator's view of the gateway: providers, waterfalls, reload, audit, usage. */
export function adminGatewayRoutes(services: HttpServices): Route[] {
  const { compiler, accounts, history, providerControl: control } = services
  const admin = { access: 'admin', params: none, query: none, body: none, problems: [] } as const
  return [
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/providers',
      id: 'adminListProviders',
      summary: 'Providers and their state',
      description:
        'Every port with its providers in the current order, and which are dormant or suspended, and why. `unknown` lists suspended providers that no loaded plugin has; they can be resumed.',
      response: providersReport,
      handle: () => Promise.resolve({ json: control.report() }),
    }),
    route(compiler, {
      ...admin,
      method: 'GET',
      path: '/admin/v1/diagnosis',
      id: 'adminDiagnosis',
      summary: 'Live and dormant capabilities',
      description:
        'As shown by `capstan doctor`: capabilities with the providers of their ports, and checks, in the current state of this gateway.',
      response: gatewayDiagnosis,
      handle: async () => ({ json: await services.diagnosis() }),
    }),
    ...(['suspend', 'resume'] as const).map((action) =>
      route(compiler, {
        ...admin,
        method: 'POST',
        path: `/admin/v1/providers/{port}/{vendor}/${action}`,
        id: `admin${action === 'suspend' ? 'Suspend' : 'Resume'}Provider`,
        summary: action === 'suspend' ? 'Suspend a provider' : 'Resume a provider',
        description:
          action === 'suspend'
            ? 'Until it is resumed, across restarts. Kept in the store and applied by all replicas within seconds.'
            : 'At once, whatever the reason of the suspension; on the other replicas within seconds.',
        params: providerOf,
        body:
          action === 'suspend'
            ? Type.Object({ reason: or(Type.String({ maxLength: 200 }), 'suspended by the operator') }, { additionalProperties: false })
            : none,
        response: done,
        problems: ['not-found'],
        handle: async ({ params, body }) => {
          const { port, vendor } = params
          if (action === 'resume') await control.resume(port, vendor)
          else await control.suspend(port, vendor, 'reason' in body ? String(body.reason) : undefined)
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
        'Vendor ids in order, the whole order; "..." means all vendors that are not named, and only ids with a leading "-" leave those out of the default order. Kept in the store and applied by all replicas.',
      params: portOf,
      body: Type.Object(
        {
          order: Type.Array(
            Type.String({
              minLength: 1,
              maxLength: 60,
              pattern: '^(-?[a-z0-9][a-z0-9._-]*|[.]{3})$',
              'x-says': 'must be the id of a vendor in small letters, one with a leading -, or "..."',
            }),
            { minItems: 1, maxItems: 50 },
          ),
        },
        { additionalProperties: false },
      ),
      response: ordered,
      problems: ['not-found'],
      handle: async ({ params, body }) => ({ json: orderOf(await control.putOrder(params.port, body.order)) }),
    }),
    route(compiler, {
      ...admin,
      method: 'DELETE',
      path: '/admin/v1/waterfall/{port}',
      id: 'adminDeleteWaterfall',
      summary: 'Drop the order of a port',
      description: 'Restores the configured order.',
      params: portOf,
      response: ordered,
      problems: ['not-found'],
      handle: async ({ params }) => ({ json: orderOf(await control.removeOrder(params.port)) }),
    }),
    route(compiler, {
      ...admin,
      method: 'POST',
      path: '/admin/v1/reload',
      id: 'adminReload',
      summary: 'Reload plugins and configuration',
      description:
        'Running calls end with the plugins they began with. A failed reload keeps the old state and returns the reason; after any other, every replica reloads within seconds. A loaded plugin whose files cannot be used stays as it was and is listed under `outdated`; changed settings that require a restart are listed under `needs_restart`, and all others are applied. `success` is false when there is any of these.',
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
      description: 'Checks independently that every balance is the sum of its entries.',
      response: Type.Object({ ok: Type.Boolean(), accounts: Type.Integer(), entries: Type.Integer(), problems: Type.Array(Type.String()) }),
      handle: async () => {
        const report = await services.audit(services.settings.store)
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
      handle: async ({ query }) => {
        if (query.account !== null && (await services.store.accounts.get(query.account)) === null) throw unknownAccount()
        return { json: await history.stats(query.account, query.days, null) }
      },
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
