import type { PluginReport, Registry } from '../../../../core/loader/types.js'
import { createOutbound } from '../../../../core/outbound/index.js'
import { SchemaCompiler } from '../../../../core/sdk/index.js'
import { contractCases } from './contract-cases.js'
import { fixtureCases } from './fixture-cases.js'
import { folderCases } from './folder-cases.js'
import { providerFileCases } from './provider-file-cases.js'
import type { TestEnvironment } from './test-environment.js'
import type { ConformanceCase } from './types.js'
import { ReplayServer } from './replay.js'

export interface ConformanceOptions extends Partial<Omit<TestEnvironment, 'api' | 'web' | 'clock' | 'compiler'>> {
  readonly clock: TestEnvironment['clock']
  /** Names of the plugins to check, by default all. */
  readonly plugins?: readonly string[]
  /** Run only the cases of this vendor; by default those of all vendors and of the plugins themselves. */
  readonly vendor?: string
}

/** The cases of every plugin; `close` must be called after they ran. */
export interface Conformance {
  readonly cases: readonly ConformanceCase[]
  close(): Promise<void>
}

/**
 * The requirements on every plugin of a registry, as cases that any runner can run in any order. Providers send real HTTP to a server
 * on loopback that replays their fixtures; nothing is sent to the network.
 */
export async function runConformance(registry: Registry, options: ConformanceOptions): Promise<Conformance> {
  const { clock, plugins, vendor, program = () => undefined, workers = null, sandbox = null, resources = null } = options
  const server = await ReplayServer.start()
  const outbound = createOutbound(
    { allowPrivate: [server.address], proxy: null, dns: null, perHost: 8, userAgent: 'capstan-conformance' },
    clock,
    () => undefined,
  )
  const compiler = new SchemaCompiler()
  const machine: TestEnvironment = { api: outbound.api, web: outbound.web, clock, compiler, program, workers, sandbox, resources }
  const cases: ConformanceCase[] = []
  for (const plugin of registry.plugins) {
    if (plugins === undefined || plugins.includes(plugin.name))
      cases.push(...(await casesOf(registry, plugin, { machine, server, vendor })))
  }
  return {
    cases,
    close: async () => {
      await outbound.close()
      await server.close()
    },
  }
}

async function casesOf(
  registry: Registry,
  plugin: PluginReport,
  { vendor, ...parts }: { machine: TestEnvironment; server: ReplayServer; vendor: string | undefined },
): Promise<ConformanceCase[]> {
  const contract = contractCases(registry, plugin)
  if (plugin.state === 'set-aside') return contract
  const placed = [...registry.ports.values()].flatMap((port) =>
    port.all.flatMap((provider) => (provider.plugin === plugin.name ? [{ port, provider }] : [])),
  )
  const providers = placed.map(({ provider }) => provider)
  const cases: ConformanceCase[] = await providerFileCases(plugin, providers, vendor)
  for (const each of placed)
    if (vendor === undefined || each.provider.vendor.id === vendor) cases.push(...(await fixtureCases({ ...parts, ...each, plugin })))
  return vendor === undefined ? [...contract, ...cases, ...folderCases(plugin, providers)] : cases
}
