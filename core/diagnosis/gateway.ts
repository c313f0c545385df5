import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { Suspensions } from '../dispatch/suspension.js'
import type { Sandbox } from '../exec/types.js'
import type { Places, Readiness } from './readiness.js'
import type { Registry } from '../loader/types.js'
import { packageVersion } from '../runtime/root.js'
import { answered } from '../runtime/answered.js'
import { changedPluginsCheck, type PluginFolders } from './changed-plugins.js'
import { type Check, diagnose, type GatewayDiagnosis } from './types.js'
import { callerProgramsCheck, registryChecks, sandboxCheck } from './registry-checks.js'
import type { VendorProbes } from './vendor-probes.js'

/** Longest wait for a check, in milliseconds. */
const CHECK_MS = 1_000

interface GatewayDiagnosisDeps {
  readonly registry: () => Registry
  readonly suspensions: Pick<Suspensions, 'list'>
  readonly readiness: () => Promise<Readiness>
  readonly places: Places
  readonly sandbox: Pick<Sandbox, 'status' | 'program' | 'refusal'>
  readonly vendorProbes: Pick<VendorProbes, 'run'>
  readonly needRestart: () => readonly string[]
  readonly pluginFolders: () => PluginFolders
  readonly publicUrl: () => string
  readonly clock: Clock
  readonly log: Log
}

/** The diagnosis of this running gateway; programs that failed before are probed again. */
export async function diagnoseGateway(deps: GatewayDiagnosisDeps): Promise<GatewayDiagnosis> {
  const { registry, suspensions, sandbox, publicUrl, clock } = deps
  const probed = answered(CHECK_MS, deps.vendorProbes.run(), 'the programs of vendors').catch((error: unknown) =>
    deps.log('vendor-probes-running', 'the programs of vendors are still being checked', { error: String(error) }),
  )
  const status = Promise.all([answered(CHECK_MS, sandbox.status(), 'the sandbox'), probed]).then(([found]) => found)
  const [ready, isolation, changedPlugins] = await Promise.all([
    deps.readiness(),
    sandboxCheck(status, registry),
    changedPluginsCheck(deps.pluginFolders()),
    probed,
  ])
  const current = registry()
  const checks: Check[] = [
    ...readinessChecks(ready, deps.places),
    { name: 'artifacts', ok: true, detail: deps.places.files },
    isolation,
    callerProgramsCheck(await sandbox.refusal(false)),
    ...registryChecks(current, (name) => sandbox.program(name), clock.now()),
    settingsCheck(deps.needRestart()),
    changedPlugins,
  ]
  return {
    ...diagnose(current, checks, { probes: new Map(), suspensions: suspensions.list() }),
    gateway: { version: packageVersion(), pid: process.pid, url: publicUrl(), now: new Date(clock.now()).toISOString() },
  }
}

/** The checks of `/readyz` without the count of capabilities, which the document has, and `draining` only if true. */
function readinessChecks({ checks }: Readiness, { ledger, limits }: Places): Check[] {
  const shown = checks.filter(({ name, ok }) => name !== 'capabilities' && (name !== 'draining' || !ok))
  const found = shown.map((check): Check => (check.name === 'store' && check.ok ? { ...check, detail: ledger } : { ...check }))
  return found.some(({ name }) => name === 'redis') ? found : [...found, { name: 'redis', ok: true, detail: limits }]
}

function settingsCheck(waiting: readonly string[]): Check {
  const detail = waiting.length === 0 ? 'applied' : `changed, and applied after a restart: ${waiting.join(', ')}`
  return { name: 'configuration', ok: waiting.length === 0, detail }
}
