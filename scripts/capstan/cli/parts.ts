import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { systemClock } from '../../../core/runtime/clock.js'
import type { Config } from '../../../core/config/types.js'
import type { Sandbox } from '../../../core/exec/types.js'
import type { Registry } from '../../../core/loader/types.js'
import { useTemporaryFolder } from '../../../core/lifecycle/temporary-folder.js'
import { hint } from '../../../core/sdk/nearest.js'
import { Failure } from './failure.js'
import { ledgerFault } from './ledger-fault.js'
import { notInUse } from './registry.js'
import type { Parts } from './types.js'

/** A host for connectivity checks (RFC 2606). */
const OUTSIDE = 'example.com'

/** The parts of this installation. Each method imports its own modules, so that a command loads only what it needs. */
export const realParts: Parts = {
  store: async ({ settings }) => {
    const { openStore } = await import('../../../core/store/open.js')
    return await openStore(settings.store, settings.data, { thread: 'same' })
  },
  keys: async (store, { scopes, most }) => {
    const { KeyService } = await import('../../../core/accounts/service.js')
    return new KeyService(store.keys, systemClock, { scopes: () => scopes, most })
  },
  audit: async ({ settings: { store } }) => {
    const { auditStore, sqliteFile } = await import('../audit/store.js')
    const file = sqliteFile(store)
    const fault = file === null ? null : ledgerFault(file)
    if (fault !== null) throw new Failure(fault)
    return await auditStore(store)
  },
  artifacts: async (config) => {
    const { artifactBlobs } = await import('../../../core/lifecycle/open-artifacts.js')
    const { createOutbound } = await import('../../../core/outbound/index.js')
    const { outboundSettings } = await import('../../../core/lifecycle/open-parts.js')
    const outbound = createOutbound(outboundSettings(config), systemClock, () => undefined)
    try {
      const blobs = artifactBlobs(config, { transport: outbound.operator, clock: systemClock })
      await blobs.check()
      return blobs.describe()
    } finally {
      await outbound.close()
    }
  },
  redis: async (config) => {
    const { openRedis } = await import('../../../core/redis/client.js')
    const link = await openRedis({
      url: config.settings.redis ?? '',
      setting: config.variable('redis'),
      clock: systemClock,
      log: () => undefined,
    })
    try {
      return link.state()
    } finally {
      link.close()
    }
  },
  registry: (config) => load(config, config.settings.plugin_folders),
  startProblems: async (config) => {
    const { startProblems } = await import('./start-problems.js')
    return await startProblems(config)
  },
  conformance: async ({ folders, vendor }, config) => {
    const { bundledFolder } = await import('../../../core/loader/load.js')
    const { packageRoot } = await import('../../../core/runtime/root.js')
    const { pluginsToTest } = await import('./plugins-to-test.js')
    const configured = config.settings.plugin_folders
    const bundled = { source: join(packageRoot(), 'plugins'), code: bundledFolder() }
    const { further, includes, without } = await pluginsToTest(folders, { bundled, configured })
    const registry = await load(config, [...configured, ...further])
    const wanted = registry.plugins.filter(includes)
    const lack = without(registry.plugins).map((folder) => `there is no plugin in ${folder}`)[0] ?? lackOf(vendor, registry, wanted)
    if (lack !== null) {
      await registry.dispose()
      throw new Failure(lack)
    }
    const { localMachine, runConformance } = await import('../kit/conformance/index.js')
    const { findProgram } = await import('../../../core/exec/programs.js')
    const temporary = await useTemporaryFolder(() => undefined)
    const machine = await localMachine({ clock: systemClock, programs: (name) => findProgram(name, config.program(name) ?? undefined) })
    const suite = await runConformance(registry, {
      ...machine.options,
      clock: systemClock,
      plugins: wanted.map(({ name }) => name),
      ...(vendor === undefined ? {} : { vendor }),
    })
    const close = async (): Promise<void> => {
      await Promise.all([suite.close(), registry.dispose()])
      await machine.close()
      await temporary.close()
    }
    return { cases: suite.cases, close }
  },
  sandbox: (config) => withSandbox(config, (sandbox) => sandbox.status()),
  probes: async (vendors, config) => {
    if (vendors.length === 0) return new Map()
    const { runProbes } = await import('../../../core/diagnosis/vendor-probes.js')
    return await withSandbox(config, (sandbox) => runProbes(sandbox, vendors))
  },
  connects: async (target, config) => {
    const { createOutbound } = await import('../../../core/outbound/index.js')
    const { outboundSettings } = await import('../../../core/lifecycle/open-parts.js')
    const { connects } = await import('./connects.js')
    const outbound = createOutbound(outboundSettings(config), systemClock, () => undefined)
    try {
      return await connects(outbound.net, target)
    } finally {
      await outbound.close()
    }
  },
  outside: async (config) => {
    const { createOutbound } = await import('../../../core/outbound/index.js')
    const { outboundSettings } = await import('../../../core/lifecycle/open-parts.js')
    const { checkOutside } = await import('./outside.js')
    const outbound = createOutbound(outboundSettings(config), systemClock, () => undefined)
    const at = { name: OUTSIDE, url: `https://${OUTSIDE}/`, dns: config.settings.net.dns, dnsVariable: config.variable('net.dns') }
    try {
      return await checkOutside(outbound, systemClock, at)
    } finally {
      await outbound.close()
    }
  },
  serve: async (config, options) => {
    const [{ serve }, { auditStore }, { mcp }] = await Promise.all([
      import('../../../core/main.js'),
      import('../audit/store.js'),
      import('../mcp/endpoint.js'),
    ])
    return await serve(config, { ...options, audit: auditStore, mcp })
  },
  newPlugin: async (name, folder, form) => {
    const { newPlugin } = await import('../kit/scaffold/index.js')
    return await refused(newPlugin(name, folder, form))
  },
  newProvider: async ({ port, vendor, folder }, config) => {
    const { isPlugin } = await import('../../../core/loader/find.js')
    // An unfinished plugin need not be configured yet to get an adapter for its own port.
    const registry = await load(config, [...new Set([...config.settings.plugin_folders, ...((await isPlugin(folder)) ? [folder] : [])])])
    try {
      const { newProvider } = await import('../kit/scaffold/index.js')
      const note = notInUse(registry)
      return await refused(newProvider(port, vendor, { registry, folder }), note === null ? '' : ` (${note})`)
    } finally {
      await registry.dispose()
    }
  },
  lockPlugins: async ({ settings }) => {
    const { lockPlugins } = await import('../../../core/loader/lock.js')
    const { packageRoot } = await import('../../../core/runtime/root.js')
    const file = join(packageRoot(), 'plugins.lock')
    if (settings.plugin_folders.length === 0) throw new Failure('there is no plugin to lock: plugins (CAPSTAN_PLUGINS) names no folder')
    await refused(lockPlugins(settings.plugin_folders, file))
    return { file, plugins: settings.plugin_folders.map((folder) => basename(folder)) }
  },
}

async function load(config: Config, thirdParty: readonly string[]): Promise<Registry> {
  const { loadPlugins } = await import('../../../core/loader/load.js')
  const { findProgram } = await import('../../../core/exec/programs.js')
  const { packageRoot } = await import('../../../core/runtime/root.js')
  return await loadPlugins({
    config,
    programs: (name) => findProgram(name, config.program(name) ?? undefined),
    thirdParty,
    clock: systemClock,
    log: () => undefined,
    cacheFolder: join(config.settings.data, 'cache'),
    lockFile: join(packageRoot(), 'plugins.lock'),
  })
}

/** A sentence that no plugin has the vendor, with the nearest id; null when one has it, or a plugin could not be loaded. */
function lackOf(vendor: string | undefined, registry: Registry, plugins: Registry['plugins']): string | null {
  if (vendor === undefined) return null
  const names = plugins.map(({ name }) => name)
  const providers = [...registry.ports.values()].flatMap(({ all }) => all.filter(({ plugin }) => names.includes(plugin)))
  const known = [...new Set(providers.map((provider) => provider.vendor.id))].sort()
  if (known.includes(vendor) || plugins.some(({ state }) => state === 'set-aside')) return null
  return `none of the plugins to test has the vendor ${vendor}${hint(vendor, known)}`
}

async function withSandbox<T>(config: Config, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const [{ createSandbox }, { hiddenPaths }] = await Promise.all([
    import('../../../core/exec/sandbox.js'),
    import('../../../core/lifecycle/hidden-paths.js'),
  ])
  const temporary = await useTemporaryFolder(() => undefined)
  const sandbox = createSandbox({
    clock: systemClock,
    log: () => undefined,
    programs: (name) => config.program(name) ?? undefined,
    slots: cpus().length,
    proxySocket: () => Promise.reject(new Failure('capstan doctor runs programs without network')),
    ...hiddenPaths(config),
  })
  try {
    return await work(sandbox)
  } finally {
    await sandbox.close()
    await temporary.close()
  }
}

/** Converts an error to a Failure with a remark, without a stack. */
async function refused<T>(work: Promise<T>, remark = ''): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && error.name === 'Error') throw new Failure(`${error.message}${remark}`)
    throw error
  }
}
