import type { Registry } from '../loader/types.js'
import type { DiskState } from '../runtime/disk-watch.js'
import type { Store } from '../store/types.js'

/** Storage locations of a gateway, one line each, without passwords. */
export interface Places {
  readonly ledger: string
  readonly limits: string
  readonly files: string
}

/** A Redis link whose state can be shown. */
interface ShownLink {
  state(): { readonly shared: boolean; readonly detail: string }
}

interface PlacedParts {
  readonly store: Pick<Store, 'describe'>
  readonly redis: ShownLink | null
  readonly blobs: { describe(): string }
}

/** Describes the storage that the settings `store`, `redis` and `artifacts` select. */
export async function placesOf({ store, redis, blobs }: PlacedParts): Promise<Places> {
  return {
    ledger: await store.describe(),
    limits: redis === null ? 'in the memory of this process, not shared' : limitsOf(redis),
    files: blobs.describe(),
  }
}

function limitsOf(redis: ShownLink): string {
  const { shared, detail } = redis.state()
  return `${shared ? 'shared between replicas; ' : ''}Redis ${detail}`
}

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
