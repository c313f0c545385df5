import type { Suspensions } from '../dispatch/suspension.js'
import type { Sandbox } from '../exec/types.js'
import type { Readiness } from '../http/readiness.js'
import type { Registry } from '../loader/types.js'
import type { Places } from '../places.js'
import { packageVersion } from '../root.js'
import { Type, type Static } from '../sdk/index.js'
import { answered } from '../store/answered.js'
import { diagnose, diagnosis, type Check } from './document.js'
import { registryChecks } from './registry-checks.js'
import { sandboxCheck } from './sandbox-check.js'

/** Longest wait for what has to be asked, in milliseconds: whoever asks wants an answer now. */
const ASK_MS = 1_000

/** What a running gateway says of itself. */
export const gatewayDiagnosis = Type.Object({
  ...diagnosis.properties,
  gateway: Type.Object({
    version: Type.String(),
    pid: Type.Integer(),
    url: Type.String(),
    now: Type.String({ format: 'date-time', description: 'Its clock.' }),
  }),
})
export type GatewayDiagnosis = Static<typeof gatewayDiagnosis>

export interface GatewayDiagnosisDeps {
  readonly registry: () => Registry
  readonly suspensions: Pick<Suspensions, 'list'>
  readonly readiness: () => Promise<Readiness>
  readonly places: Places
  readonly sandbox: Pick<Sandbox, 'status' | 'program'>
  readonly needRestart: () => readonly string[]
  readonly publicUrl: () => string
  readonly now: () => number
}

/** What answers and what does not, as this gateway knows it at the moment: nothing is tried out for it. */
export async function diagnoseGateway(deps: GatewayDiagnosisDeps): Promise<GatewayDiagnosis> {
  const { registry, suspensions, sandbox, publicUrl, now } = deps
  const current = registry()
  const [ready, isolation] = await Promise.all([deps.readiness(), sandboxCheck(answered(ASK_MS, sandbox.status(), 'the sandbox'), current)])
  const checks: Check[] = [
    ...readinessChecks(ready, deps.places),
    { name: 'artifacts', ok: true, detail: deps.places.files },
    isolation,
    ...registryChecks(current, (name) => sandbox.program(name) !== undefined),
    settingsCheck(deps.needRestart()),
  ]
  return {
    ...diagnose(current, checks, { probes: new Map(), suspensions: suspensions.list() }),
    gateway: { version: packageVersion(), pid: process.pid, url: publicUrl(), now: new Date(now()).toISOString() },
  }
}

/** Those of `/readyz`, less the count of capabilities, which stands in the document, and a stop that is not under way. */
function readinessChecks({ checks }: Readiness, { ledger, limits }: Places): Check[] {
  const shown = checks.filter(({ name, ok }) => name !== 'capabilities' && (name !== 'draining' || !ok))
  const found = shown.map((check): Check => (check.name === 'store' && check.ok ? { ...check, detail: ledger } : { ...check }))
  return found.some(({ name }) => name === 'redis') ? found : [...found, { name: 'redis', ok: true, detail: limits }]
}

function settingsCheck(waiting: readonly string[]): Check {
  const detail = waiting.length === 0 ? 'in force' : `changed, and in force after a restart: ${waiting.join(', ')}`
  return { name: 'configuration', ok: waiting.length === 0, detail }
}
