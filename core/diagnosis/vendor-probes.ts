import type { Log } from '../runtime/log-events.js'
import type { Sandbox } from '../exec/types.js'
import type { RegistryHolder } from '../loader/holder.js'
import { liveProviders } from './registry-checks.js'
import { runProbes } from './probes.js'

interface VendorProbesDeps {
  readonly holder: RegistryHolder
  readonly sandbox: Pick<Sandbox, 'run'>
  readonly log: Log
}

/** Vendors whose programs are installed and cannot work, such as Docker without its daemon: their providers are broken until a later probe succeeds. */
export class VendorProbes {
  readonly #deps: VendorProbesDeps
  #running: Promise<void> | null = null
  #failing: ReadonlyMap<string, string> = new Map()

  constructor(deps: VendorProbesDeps) {
    this.#deps = deps
  }

  /** Runs the probes of all vendors that would be asked, those that failed before too; whoever comes meanwhile waits for the same. */
  run(): Promise<void> {
    return (this.#running ??= this.#run().finally(() => void (this.#running = null)))
  }

  async #run(): Promise<void> {
    const { holder, sandbox, log } = this.#deps
    const all = [...holder.current.ports.values()].flatMap(({ providers }) => providers)
    const failing = all.filter(({ vendor }) => this.#failing.has(vendor.id))
    const vendors = new Set([...liveProviders(holder.current), ...failing].map(({ vendor }) => vendor))
    const found = await runProbes(
      sandbox,
      [...vendors].filter(({ probe }) => probe !== undefined),
    )
    for (const [vendor, reason] of found)
      if (!this.#failing.has(vendor)) log('vendor-not-working', 'a vendor is installed and cannot work', { vendor, reason })
    this.#failing = found
    holder.mark({ failing: found })
  }
}
