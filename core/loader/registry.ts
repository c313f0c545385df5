import { cleanUpAll } from '../runtime/answered.js'
import { callLimit, type PluginContribution, programsOf, quote } from '../sdk/index.js'
import { createHash } from 'node:crypto'
import type { Config, KnownNames } from '../config/types.js'
import { ConfigError } from '../problems/errors.js'
import type { CapabilityEntry, CapabilityTable } from './capability-table.js'
import type { PluginExports } from './plugin-exports.js'
import { livenessOf, portLiveness, stateOf } from './liveness.js'
import { ordered } from './order.js'
import type { Liveness, LoadedCapability, LoadedPort, LoadedProvider, PluginReport, ProviderMarks, Registry } from './types.js'
import { priceFault, thousandths } from './price-rules.js'
import type { ProviderEntry, ProviderTable } from './provider-table.js'
import { canonical } from './vendor-rules.js'

/** Calls `dispose` of all plugins concurrently; resolves to an error for each that failed or exceeded five seconds. Never rejects. */
export function disposeOf(plugins: readonly PluginContribution[]): Promise<Error[]> {
  return cleanUpAll(plugins.map((plugin) => [`dispose() of plugin ${plugin.name}`, () => plugin.dispose?.()]))
}

/** The result of a load, independent of any order. */
interface Loaded {
  readonly capabilityTable: CapabilityTable
  readonly providerTable: ProviderTable
  readonly config: Config
  readonly plugins: readonly PluginReport[]
  readonly contributions: readonly PluginContribution[]
  readonly guests: readonly PluginExports[]
}

/** The names that may be configured, from the loaded plugins. */
export function knownNames({ vendors, contributions, ports, capabilities, plugins }: Registry): KnownNames {
  return {
    vendors,
    plugins: contributions,
    ports: [...ports.keys()],
    prices: new Map([...capabilities].map(([id, { capability }]) => [id, capability.price.table])),
    serving: new Map([...ports].map(([id, { all }]) => [id, all.map(({ vendor }) => vendor.id)])),
    programs: [...new Set(['bwrap', ...vendors.flatMap((vendor) => Object.keys(programsOf(vendor)))])],
    incomplete: plugins.some(({ state }) => state === 'set-aside'),
  }
}

/** Builds the registry of a load. Throws ConfigError when the operator's prices do not fit a capability. */
export function makeRegistry(loaded: Loaded): Registry {
  const capabilities = new Map([...loaded.capabilityTable.capabilities].map(([id, entry]) => [id, loadCapability(entry, loaded)]))
  return withChoices({ ...loaded, capabilities, dispose: once(() => disposeAll(loaded.contributions)) }, { orders: new Map(), ...UNMARKED })
}

interface RegistryParts extends Loaded {
  readonly capabilities: ReadonlyMap<string, LoadedCapability>
  readonly dispose: () => Promise<void>
}

const UNMARKED: ProviderMarks = { suspended: new Map(), failing: new Map() }

/** Orders and suspensions of the operator at run time, and results of vendor probes. */
interface Choices extends ProviderMarks {
  readonly orders: ReadonlyMap<string, readonly string[]>
}

function withChoices(parts: RegistryParts, choices: Choices): Registry {
  const { capabilityTable, capabilities } = parts
  const known = {
    capabilities,
    ports: withUsedPorts(new Map([...capabilityTable.ports.keys()].map((id) => [id, loadPort(id, parts, choices)])), (name) =>
      parts.config.variable(name),
    ),
    variable: (name: string) => parts.config.variable(name),
  }
  const { ports } = known
  const liveness = new Map<string, Liveness>()
  return {
    version: versionOf(capabilities, ports, capabilityTable.names),
    ports,
    capabilities,
    byPath: new Map([...capabilities.values()].map((loaded) => [loaded.capability.path, loaded])),
    lists: new Map([...capabilities.values()].flatMap((loaded) => loaded.lists.map((list) => [list.path, { loaded, list }]))),
    names: capabilityTable.names,
    plugins: parts.plugins,
    contributions: parts.contributions,
    guests: parts.guests,
    vendors: parts.providerTable.vendors,
    withOrders: (orders, known = UNMARKED) => withChoices(parts, { orders, ...known }),
    liveness: (id) => {
      const found = liveness.get(id) ?? livenessOf(id, known)
      liveness.set(id, found)
      return found
    },
    dispose: parts.dispose,
  }
}

function loadPort(id: string, { capabilityTable, providerTable, config }: RegistryParts, choices: Choices): LoadedPort {
  const entry = capabilityTable.ports.get(id)
  if (entry === undefined) throw new TypeError(`port ${id} is not in the capabilityTable`)
  const configured = config.waterfall(id)
  const admin = choices.orders.get(id) ?? null
  const given = admin ?? (configured === null || configured.source === 'default' ? null : configured.order)
  const current = ordered(providerTable.of(id), { given, defaults: config.defaultOrder(id) })
  const all = providerTable.of(id).map((entry): LoadedProvider => {
    const provider = marked(entry, id, choices)
    const optedOut = provider.vendor.optIn === true && !current.includes(entry)
    if (!optedOut || provider.state === 'broken') return { ...provider, optedOut }
    const name = `name ${provider.vendor.id} in ${config.variable(`waterfall.${id}`)} (or waterfall.${id}) to use it`
    return { ...provider, optedOut, state: 'dormant', reason: provider.reason === null ? name : `${name}; ${provider.reason}` }
  })
  const byVendor = new Map(all.map((provider) => [provider.vendor.id, provider]))
  const providers = current.flatMap(({ vendor }) => byVendor.get(vendor.id) ?? [])
  const { port, input, output, plugin } = entry
  return { port, input, output, plugin, providers, all, orderFrom: admin !== null ? 'operator' : (configured?.source ?? 'default') }
}

/** Marks providers as dormant that use a port without a live provider; repeats, since that may affect further ports. */
function withUsedPorts(ports: ReadonlyMap<string, LoadedPort>, variable: (name: string) => string): ReadonlyMap<string, LoadedPort> {
  const lackOf = ({ state, contribution }: LoadedProvider): string | null => {
    if (state !== 'live') return null
    for (const { id } of contribution.uses ?? []) {
      const { live, reason } = portLiveness(id, { ports, variable })
      if (!live) return reason
    }
    return null
  }
  let changed = false
  const dormant = (provider: LoadedProvider): LoadedProvider => {
    const reason = lackOf(provider)
    if (reason === null) return provider
    changed = true
    return { ...provider, state: 'dormant', reason }
  }
  const next = new Map(
    [...ports].map(([id, port]) => [id, { ...port, providers: port.providers.map(dormant), all: port.all.map(dormant) }]),
  )
  return changed ? withUsedPorts(next, variable) : ports
}

function marked(entry: ProviderEntry, port: string, { suspended, failing }: ProviderMarks): ProviderEntry {
  const out = suspended.get(`${port}/${entry.vendor.id}`)
  const failure = entry.state === 'live' ? failing.get(entry.vendor.id) : undefined
  return {
    ...entry,
    ...(out === undefined ? {} : { suspended: out }),
    ...(failure === undefined ? {} : { state: 'broken', reason: failure }),
  }
}

function loadCapability(entry: CapabilityEntry, { config, contributions }: Loaded): LoadedCapability {
  const { capability, input, output, handler, lists, plugin } = entry
  const { table } = capability.price
  // Rows that the table lacks are reported with the other names of the configuration that are unknown.
  const own = Object.entries(config.prices(capability.id) ?? {}).filter(([row]) => Object.hasOwn(table, row))
  const prices = { ...table, ...Object.fromEntries(own) }
  const fault = own.length > 0 ? priceFault(capability, entry.examples(), prices) : null
  if (fault !== null) throw new ConfigError([{ where: config.place(`prices.${capability.id}`), message: fault, level: 'error' }])
  const manifest = contributions.find(({ name }) => name === plugin)
  return {
    capability,
    input,
    output,
    handler,
    lists,
    settings: manifest === undefined ? {} : config.plugin(manifest),
    plugin,
    prices,
    quote: (value, output) => thousandths(quote(capability, value, prices, output)),
    timeoutMs: (value) => callLimit(capability, value),
  }
}

/** A hash of everything visible to callers: capabilities, their names and prices, and states of providers. */
function versionOf(
  capabilities: ReadonlyMap<string, LoadedCapability>,
  ports: ReadonlyMap<string, LoadedPort>,
  names: ReadonlyMap<string, string>,
): string {
  const seen = {
    lists: [...capabilities.values()].flatMap((loaded) =>
      loaded.lists.map(({ path, list: { title, description, query, response } }) => ({ path, title, description, query, response })),
    ),
    capabilities: [...capabilities.values()].map(({ capability, prices }) => {
      const { id, path, title, description, input, output, examples, products, mode, many } = capability
      return { id, path, title, description, input, output, examples, products, mode, many, prices }
    }),
    names: [...names].sort(),
    ports: [...ports].map(([id, port]) => [id, port.providers.map((provider) => [provider.vendor.id, stateOf(provider)])]),
  }
  return createHash('sha256').update(canonical(seen)).digest('hex').slice(0, 12)
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => (running ??= action())
}

async function disposeAll(plugins: readonly PluginContribution[]): Promise<void> {
  const faults = await disposeOf(plugins)
  if (faults.length > 0) throw new AggregateError(faults, `plugins failed to clean up: ${faults.map(({ message }) => message).join('; ')}`)
}
