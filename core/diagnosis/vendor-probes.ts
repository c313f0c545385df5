import { type Clock, systemClock } from '../runtime/clock.js'
import { probeFailure } from '../exec/program-check.js'
import type { Sandbox } from '../exec/types.js'
import { programsOf, type Vendor } from '../sdk/index.js'
import type { Log } from '../runtime/log-events.js'
import type { RegistryHolder } from '../loader/holder.js'
import { logFailedWork } from '../store/types.js'
import { liveProviders } from './registry-checks.js'

/** Runs the probe of every vendor that has one; returns the failures by vendor. */
export async function runProbes(sandbox: Pick<Sandbox, 'run'>, vendors: readonly Vendor[]): Promise<ReadonlyMap<string, string>> {
  const failures = await Promise.all(vendors.map(async (vendor) => [vendor.id, await probeFailure(sandbox, vendor, systemClock)] as const))
  return new Map(failures.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason]])))
}

interface VendorProbesDeps {
  readonly holder: RegistryHolder
  readonly sandbox: Pick<Sandbox, 'run' | 'status' | 'refusal'>
  readonly clock: Clock
  readonly log: Log
}

/** Program of every vendor that needs the sandbox. */
const SANDBOX = 'bwrap'
/** Interval of checks while a vendor fails, or the sandbox depends on the number of accounts, in milliseconds. */
const AGAIN_MS = 60_000

/**
 * Vendors whose installed programs cannot work: a failed probe such as Docker without its daemon, a sandbox that is not
 * live, or programs that several accounts may not share. Their providers are broken until a later probe succeeds; they
 * are probed once a minute, and by doctor.
 */
export class VendorProbes {
  readonly #deps: VendorProbesDeps
  #running: Promise<void> | null = null
  #failing: ReadonlyMap<string, string> = new Map()
  #stopWaiting: () => void = () => undefined
  #closed = false

  constructor(deps: VendorProbesDeps) {
    this.#deps = deps
  }

  /** Runs the probes of all live vendors and of those that failed before; concurrent callers share one run. */
  run(): Promise<void> {
    return (this.#running ??= this.#run().finally(() => void (this.#running = null)))
  }

  /** Runs the probes in the background; a failure to run them is logged. */
  runInBackground(): void {
    const { log } = this.#deps
    this.run().catch((error: unknown) =>
      logFailedWork(log, { event: 'sandbox-unchecked', message: 'the sandbox could not be checked', error }),
    )
  }

  close(): void {
    this.#closed = true
    this.#stopWaiting()
  }

  async #run(): Promise<void> {
    const { holder, sandbox, log } = this.#deps
    const all = [...holder.current.ports.values()].flatMap(({ providers }) => providers)
    const failing = all.filter(({ vendor }) => this.#failing.has(vendor.id))
    const vendors = new Set([...liveProviders(holder.current), ...failing].map(({ vendor }) => vendor))
    const probed = await runProbes(
      sandbox,
      [...vendors].filter(({ probe }) => probe !== undefined),
    )
    const found = new Map([...(await this.#refused([...vendors])), ...(await this.#withoutSandbox([...vendors])), ...probed])
    for (const [vendor, reason] of found)
      if (!this.#failing.has(vendor)) log('vendor-not-working', 'a vendor is installed and cannot work', { vendor, reason })
    this.#failing = found
    holder.mark({ failing: found })
    if (found.size > 0) this.#runLater()
  }

  /** The vendors that need the sandbox while it is not live, with the reason. */
  async #withoutSandbox(vendors: readonly Vendor[]): Promise<Map<string, string>> {
    const { sandbox } = this.#deps
    const needing = vendors.filter((vendor) => SANDBOX in programsOf(vendor))
    if (needing.length === 0) return new Map()
    const { live, detail, memoryUnbounded = false } = await sandbox.status()
    if (!live) return new Map(needing.map(({ id }) => [id, detail]))
    if (memoryUnbounded) this.#runLater()
    return new Map()
  }

  #runLater(): void {
    this.#stopWaiting()
    if (!this.#closed) this.#stopWaiting = this.#deps.clock.after(AGAIN_MS, () => this.runInBackground())
  }

  /** The vendors whose programs several accounts may not share here, with the reason. */
  async #refused(vendors: readonly Vendor[]): Promise<Map<string, string>> {
    const { sandbox } = this.#deps
    const [inside, outside] = await Promise.all([sandbox.refusal(false), sandbox.refusal(true)])
    return new Map(
      vendors.flatMap((vendor) => {
        const unbounded = runsPrograms(vendor) ? inside : typeof vendor.memoryUnbounded?.() === 'string' ? outside : null
        return unbounded === null ? [] : [[vendor.id, unbounded] as const]
      }),
    )
  }
}

/** Whether the vendor runs programs in the sandbox other than parsers, which have their own limit. */
function runsPrograms(vendor: Vendor): boolean {
  const programs = Object.keys(programsOf(vendor))
  return vendor.boundedWithoutGroups !== true && programs.includes(SANDBOX) && programs.length > 1
}
