import type { DiskState } from '../runtime/disk-watch.js'
import type { Registry } from '../loader/types.js'
import type { Store } from '../store/types.js'
import type { ShownLink } from './places.js'

export interface Readiness {
  readonly ready: boolean
  readonly checks: readonly { name: string; ok: boolean; detail: string }[]
}

/** Checks that may fail in a ready gateway. */
const MAY_FAIL = new Set(['disk of files', 'disk of temporary'])

interface ReadinessOptions {
  readonly store: Pick<Store, 'ping'>
  readonly redis: ShownLink | null
  readonly registry: Registry
  readonly disks: readonly DiskState[]
  readonly draining: boolean
}

/**
 * Whether calls can be served now, and why not. A gateway stays ready without Redis, with limits by shares, and with a
 * full disk other than the ledger's, since calls that write no files continue.
 */
export async function readiness({ store, redis, registry, disks, draining }: ReadinessOptions): Promise<Readiness> {
  const [ping] = await Promise.allSettled([store.ping()])
  const ids = [...registry.capabilities.keys()]
  const found = ids.map((id) => ({ id, ...registry.liveness(id) }))
  const live = found.filter((one) => one.live).length
  const limits = found.flatMap((one) => (one.limits === null ? [] : [`${one.id}: ${one.limits}`]))
  const checks = [
    { name: 'store', ok: ping.status === 'fulfilled', detail: ping.status === 'fulfilled' ? 'answers' : 'does not answer' },
    { name: 'capabilities', ok: live > 0, detail: [`${live} of ${ids.length} live`, ...limits].join('; ') },
    ...(redis === null ? [] : [{ name: 'redis', ok: true, detail: redis.state().detail }]),
    ...disks.map(({ part, full, free, detail }) => ({ name: `disk of ${part}`, ok: !full && free !== null, detail })),
    { name: 'draining', ok: !draining, detail: draining ? 'the gateway is stopping' : 'no' },
  ]
  return { ready: checks.every(({ name, ok }) => ok || MAY_FAIL.has(name)), checks }
}
