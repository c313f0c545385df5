import { orderFaults, REST } from '../config/waterfall.js'
import type { LoadedPort, Registry } from '../loader/types.js'
import { Problem } from '../problems/problem.js'
import { hint } from '../sdk/nearest.js'
import type { SettingsWatch } from '../store/settings-watch.js'
import type { SettingsStore } from '../store/types.js'
import { type PortReport, type ProvidersReport, reportPort, unknownSuspensions } from './provider-report.js'
import type { Suspensions } from './suspension.js'

const ORDER_PREFIX = 'waterfall:'

/** Waterfall orders that the operator set at run time: kept in the store, read by every replica within seconds. */
export class WaterfallOrders {
  readonly #store: SettingsStore
  readonly #watch: SettingsWatch
  readonly #changed: (orders: ReadonlyMap<string, readonly string[]>) => void
  #orders: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(store: SettingsStore, watch: SettingsWatch, changed: (orders: ReadonlyMap<string, readonly string[]>) => void) {
    this.#store = store
    this.#watch = watch
    this.#changed = changed
    watch.on(() => this.#read())
  }

  get current(): ReadonlyMap<string, readonly string[]> {
    return this.#orders
  }

  async put(port: string, order: readonly string[]): Promise<void> {
    await this.#store.put(ORDER_PREFIX + port, order.join(','))
    await this.#watch.check()
  }

  /** False when no order was set. */
  async remove(port: string): Promise<boolean> {
    const removed = await this.#store.delete(ORDER_PREFIX + port)
    await this.#watch.check()
    return removed
  }

  async #read(): Promise<void> {
    const rows = await this.#store.list(ORDER_PREFIX)
    this.#orders = new Map(rows.map(({ name, value }) => [name.slice(ORDER_PREFIX.length), value.split(',').filter((id) => id !== '')]))
    this.#changed(this.#orders)
  }
}

const SUSPENDED_PREFIX = 'suspended:'

/** Suspensions by the operator: in the store, read by every replica within seconds. Ids are `port/vendor`. */
export class OperatorSuspensions {
  readonly #store: SettingsStore
  readonly #suspensions: Suspensions
  readonly #changed: (reasons: ReadonlyMap<string, string>) => void
  #reasons: ReadonlyMap<string, string> = new Map()
  /** Counts changes made here, to detect that a list read meanwhile is out of date. */
  #changes = 0

  /** `changed` is called after every change with all suspensions: reasons by id. */
  constructor(
    store: SettingsStore,
    watch: Pick<SettingsWatch, 'on'>,
    suspensions: Suspensions,
    changed: (reasons: ReadonlyMap<string, string>) => void = () => undefined,
  ) {
    this.#store = store
    this.#suspensions = suspensions
    this.#changed = changed
    watch.on(() => this.#read())
  }

  /** Whether the operator suspended the provider. */
  has(id: string): boolean {
    return this.#reasons.has(id)
  }

  /** Suspends a provider until it is resumed. Throws StoreUnavailable, and then changes nothing here. */
  async suspend(id: string, why: string): Promise<void> {
    await this.#store.put(SUSPENDED_PREFIX + id, why)
    this.#apply(new Map(this.#reasons).set(id, why))
  }

  /** Resumes a provider, whatever the reason of its suspension. Throws StoreUnavailable, and then changes nothing. */
  async resume(id: string): Promise<void> {
    await this.#store.delete(SUSPENDED_PREFIX + id)
    this.#apply(new Map([...this.#reasons].filter(([other]) => other !== id)))
    this.#suspensions.resume(id)
  }

  #apply(reasons: ReadonlyMap<string, string>): void {
    this.#changes++
    this.#reasons = reasons
    this.#suspensions.setManual(reasons)
    this.#changed(reasons)
  }

  async #read(): Promise<void> {
    const changes = this.#changes
    const rows = await this.#store.list(SUSPENDED_PREFIX)
    if (changes !== this.#changes) return await this.#read()
    this.#reasons = new Map(rows.map(({ name, value }) => [name.slice(SUSPENDED_PREFIX.length), value]))
    this.#suspensions.setManual(this.#reasons)
    this.#changed(this.#reasons)
  }
}

const BY_OPERATOR = 'suspended by the operator'
const LONGEST = 60
const CORRECT = 'Correct the port or the vendor in the path.'

interface ProviderControlDeps {
  readonly registry: () => Registry
  readonly suspensions: Suspensions
  readonly operatorSuspensions: OperatorSuspensions
  readonly orders: WaterfallOrders
  /** Records an action of the operator. */
  readonly audit: (action: string, target: string, detail: Readonly<Record<string, unknown>>) => Promise<void>
}

/** The operator's view and control of providers and orders, for the admin API and the command line. */
export class ProviderControl {
  readonly #deps: ProviderControlDeps

  constructor(deps: ProviderControlDeps) {
    this.#deps = deps
  }

  report(): ProvidersReport {
    const { suspensions, registry } = this.#deps
    const out = suspensions.list()
    const byId = new Map(out.map((suspension) => [suspension.id, suspension]))
    const { ports } = registry()
    return { ports: [...ports.values()].map((port) => reportPort(port, byId)), unknown: unknownSuspensions(out, ports) }
  }

  /** Suspends a provider until it is resumed. Throws `not-found`, StoreUnavailable. */
  async suspend(port: string, vendor: string, why = BY_OPERATOR): Promise<void> {
    this.#assertProvider(port, vendor)
    // Before the change, so that a store failure in between leaves no unrecorded change.
    await this.#deps.audit('provider.suspend', `${port}/${vendor}`, { reason: why })
    await this.#deps.operatorSuspensions.suspend(`${port}/${vendor}`, why)
  }

  /** Resumes a provider, whatever the reason, even if its plugin was removed. Throws `not-found`, StoreUnavailable. */
  async resume(port: string, vendor: string): Promise<void> {
    const { operatorSuspensions, audit } = this.#deps
    const id = `${port}/${vendor}`
    if (!operatorSuspensions.has(id)) this.#assertProvider(port, vendor)
    await audit('provider.resume', id, {})
    await operatorSuspensions.resume(id)
  }

  /** Sets the order of a port over the configuration. Throws `not-found`, `validation-failed`, StoreUnavailable. */
  async putOrder(port: string, order: readonly string[]): Promise<PortReport> {
    const ids = this.#port(port).all.map(({ vendor }) => vendor.id)
    const unknown = order.flatMap((entry, index) => {
      const id = entry.replace(/^-/, '')
      return entry === REST || ids.includes(id) ? [] : [{ index, says: `no vendor of ${port} is called "${entry}"${hint(id, ids)}` }]
    })
    const faults = [...orderFaults(order).map(({ index, says }) => ({ index, says: `the order ${says}` })), ...unknown]
    const validation = faults.map(({ index, says }) => ({ loc: ['body', 'order', index], msg: says, type: 'enum' }))
    if (faults.length > 0)
      throw new Problem('validation-failed', faults.map(({ index, says }) => `order.${index}: ${says}`).join('; '), { validation })
    await this.#deps.orders.put(port, order)
    await this.#deps.audit('waterfall.put', port, { order })
    return this.#reported(port)
  }

  /** Restores the configured order. Throws `not-found`, StoreUnavailable. */
  async removeOrder(port: string): Promise<PortReport> {
    this.#port(port)
    if (!(await this.#deps.orders.remove(port)))
      throw new Problem('not-found', `No order was set for ${port} at run time; the configured order applies.`, {
        action: 'PUT at the same address sets an order.',
      })
    await this.#deps.audit('waterfall.delete', port, {})
    return this.#reported(port)
  }

  #reported(port: string): PortReport {
    return reportPort(this.#port(port), new Map(this.#deps.suspensions.list().map((suspension) => [suspension.id, suspension])))
  }

  #port(id: string): LoadedPort {
    const { ports, capabilities } = this.#deps.registry()
    const found = ports.get(id)
    const name = id.slice(0, LONGEST)
    if (found === undefined) {
      const port = [...ports.values()].find(({ all }) => all.some(({ vendor }) => vendor.id === id))?.port.id
      const swapped = port === undefined ? '' : ` ${name} is a vendor: the port comes first, such as ${port} ${name}.`
      throw new Problem('not-found', `${missing('port', name, [...ports.keys()])}${swapped}`, { action: CORRECT })
    }
    const uses = (capabilities.get(id)?.capability.uses ?? []).map((port) => port.id)
    if (found.all.length === 0 && uses.length > 0)
      throw new Problem('not-found', `${id} has no providers of its own: it uses ${uses.join(', ')}.`, {
        action: 'Name one of these ports instead.',
      })
    return found
  }

  #assertProvider(port: string, vendor: string): void {
    const ids = this.#port(port).all.map(({ vendor: { id } }) => id)
    if (!ids.includes(vendor))
      throw new Problem('not-found', missing(`provider of ${port}`, vendor.slice(0, LONGEST), ids), { action: CORRECT })
  }
}

function missing(what: string, name: string, known: readonly string[]): string {
  const near = hint(name, known)
  return `There is no ${what} called ${name}${near}${near.endsWith('?') ? '' : '.'} GET /admin/v1/providers and capstan providers list show all.`
}
