import type { Command } from 'commander'
import { systemClock } from '../../../core/runtime/clock.js'
import { AccountService } from '../../../core/credits/account-service.js'
import { OperatorSuspensions, ProviderControl, WaterfallOrders } from '../../../core/dispatch/provider-control.js'
import { portReport, providersReport, type ProvidersReport } from '../../../core/dispatch/provider-report.js'
import { Suspensions } from '../../../core/dispatch/suspension.js'
import { RegistryHolder } from '../../../core/loader/holder.js'
import type { Registry } from '../../../core/loader/types.js'
import { Type, type Static } from '../../../core/sdk/schema.js'
import { SettingsWatch } from '../../../core/store/settings-watch.js'
import type { Store } from '../../../core/store/types.js'
import { loadRegistry } from './registry.js'
import { findGateway, type RunningGateway } from './running-gateway.js'
import { readConfig, type Shell } from './shell.js'

const done = Type.Object({ success: Type.Boolean() })
const { order, order_from, left_out } = portReport.properties
const changedOrder = Type.Object({ port: Type.String(), order, order_from, left_out })

/** The order of a port after a change. */
export type ChangedOrder = Static<typeof changedOrder>

/** Operations on providers: in a running gateway, or in its store. */
export interface ProviderOperations {
  report(): Promise<ProvidersReport>
  suspend(port: string, vendor: string, reason: string | undefined): Promise<void>
  resume(port: string, vendor: string): Promise<void>
  putOrder(port: string, order: readonly string[]): Promise<ChangedOrder>
  removeOrder(port: string): Promise<ChangedOrder>
}

/** Works on the running gateway, or, if none is reached, with a note on the store: gateways that use it follow within seconds. */
export async function withProviders<T>(shell: Shell, command: Command, work: (operations: ProviderOperations) => Promise<T>): Promise<T> {
  const config = await readConfig(shell, command)
  const gateway = await findGateway(shell, config)
  if ('request' in gateway) {
    try {
      return await work(inGateway(gateway))
    } finally {
      await gateway.close()
    }
  }
  shell.io.err(
    `note: no running gateway was reached (${gateway.reason}); this is the state of the store, without suspensions after failures\n`,
  )
  const registry = await loadRegistry(shell, config)
  try {
    const store = await shell.parts.store(config)
    try {
      return await work(await inStore(store, registry))
    } finally {
      await store.close()
    }
  } finally {
    await registry.dispose()
  }
}

function inGateway(gateway: RunningGateway): ProviderOperations {
  const at = (port: string, vendor: string): string => `/admin/v1/providers/${encodeURIComponent(port)}/${encodeURIComponent(vendor)}`
  const orderOf = (port: string): string => `/admin/v1/waterfall/${encodeURIComponent(port)}`
  return {
    report: () => gateway.request({ method: 'GET', path: '/admin/v1/providers' }, providersReport),
    suspend: async (port, vendor, reason) => {
      await gateway.request({ method: 'POST', path: `${at(port, vendor)}/suspend`, json: reason === undefined ? {} : { reason } }, done)
    },
    resume: async (port, vendor) => {
      await gateway.request({ method: 'POST', path: `${at(port, vendor)}/resume`, json: {} }, done)
    },
    putOrder: (port, wanted) => gateway.request({ method: 'PUT', path: orderOf(port), json: { order: wanted } }, changedOrder),
    removeOrder: (port) => gateway.request({ method: 'DELETE', path: orderOf(port) }, changedOrder),
  }
}

/** The same rules on the store. */
async function inStore(store: Store, registry: Registry): Promise<ProviderOperations> {
  const audit = new AccountService(store, systemClock).auditor('cli')
  const control = new ProviderControl({ ...(await storedChoices(store, registry)), audit })
  return {
    report: () => Promise.resolve(control.report()),
    suspend: (port, vendor, reason) => control.suspend(port, vendor, reason),
    resume: (port, vendor) => control.resume(port, vendor),
    putOrder: async (port, wanted) => changed(await control.putOrder(port, wanted)),
    removeOrder: async (port) => changed(await control.removeOrder(port)),
  }
}

function changed({ id, order: inForce, order_from: from, left_out: left }: Static<typeof portReport>): ChangedOrder {
  return { port: id, order: inForce, order_from: from, left_out: left }
}

/** Applies what operators set while a gateway ran to the registry of this command. */
export async function storedChoices(store: Store, registry: Registry) {
  const suspensions = new Suspensions(systemClock)
  const holder = new RegistryHolder(registry)
  const watch = new SettingsWatch(store.settings, systemClock, () => undefined)
  const operatorSuspensions = new OperatorSuspensions(store.settings, watch, suspensions, (suspended) => holder.mark({ suspended }))
  const orders = new WaterfallOrders(store.settings, watch, (all) => holder.order(all))
  watch.close()
  await watch.check()
  return { registry: () => holder.current, suspensions, operatorSuspensions, orders }
}
