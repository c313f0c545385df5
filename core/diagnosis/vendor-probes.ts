import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import type { Sandbox } from '../exec/types.js'
import type { RegistryHolder } from '../loader/holder.js'
import { logFailedWork } from '../store/failed-work.js'
import { programsOf, type Vendor } from '../sdk/index.js'
import { liveProviders } from './registry-checks.js'
import { runProbes } from './probes.js'

interface VendorProbesDeps {
  readonly holder: RegistryHolder
  readonly sandbox: Pick<Sandbox, 'run' | 'status'>
  readonly clock: Clock
  readonly log: Log
}

/** Program of every vendor that needs the sandbox. */
const SANDBOX = 'bwrap'
/** A sandbox that is not live is checked again after so many milliseconds. */
const AGAIN_MS = 60_000

/**
 * Vendors whose programs are installed and cannot work, such as Docker without its daemon, or all that need a sandbox that is not live: their
 * providers are broken until a later probe succeeds.
 */
export class VendorProbes {
  readonly #deps: VendorProbesDeps
  #running: Promise<void> | null = null
  #failing: ReadonlyMap<string, string> = new Map()
  #stopWaiting: () => void = () => undefined

  constructor(deps: VendorProbesDeps) {
    this.#deps = deps
  }

  /** Runs the probes of all vendors that would be asked, those that failed before too; whoever comes meanwhile waits for the same. */
  run(): Promise<void> {
    return (this.#running ??= this.#run().finally(() => void (this.#running = null)))
  }

  close(): void {
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
    const found = new Map([...(await this.#withoutSandbox([...vendors])), ...probed])
    for (const [vendor, reason] of found)
      if (!this.#failing.has(vendor)) log('vendor-not-working', 'a vendor is installed and cannot work', { vendor, reason })
    this.#failing = found
    holder.mark({ failing: found })
  }

  /** The vendors that need the sandbox while it is not live, with the reason; looks again by itself until it is. */
  async #withoutSandbox(vendors: readonly Vendor[]): Promise<Map<string, string>> {
    const { sandbox, clock, log } = this.#deps
    const needing = vendors.filter((vendor) => SANDBOX in programsOf(vendor))
    if (needing.length === 0) return new Map()
    const { live, detail } = await sandbox.status()
    if (live) return new Map()
    this.#stopWaiting()
    this.#stopWaiting = clock.after(AGAIN_MS, () => {
      this.run().catch((error: unknown) =>
        logFailedWork(log, { event: 'sandbox-unchecked', message: 'the sandbox could not be checked', error }),
      )
    })
    return new Map(needing.map(({ id }) => [id, detail]))
  }
}
