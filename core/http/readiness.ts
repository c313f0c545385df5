import type { Registry } from '../loader/types.js'
import type { RedisLink } from '../redis/types.js'
import type { Store } from '../store/types.js'

export interface Readiness {
  readonly ready: boolean
  readonly checks: readonly { name: string; ok: boolean; detail: string }[]
}

export interface ReadinessOptions {
  readonly store: Pick<Store, 'ping'>
  readonly redis: Pick<RedisLink, 'state'> | null
  readonly registry: Registry
  readonly draining: boolean
}

/** Whether calls can be served now, and why not. A Redis that is away takes no gateway out: limits go on by shares. */
export async function readiness({ store, redis, registry, draining }: ReadinessOptions): Promise<Readiness> {
  const [ping] = await Promise.allSettled([store.ping()])
  const ids = [...registry.capabilities.keys()]
  const live = ids.filter((id) => registry.liveness(id).live).length
  const checks = [
    { name: 'store', ok: ping.status === 'fulfilled', detail: ping.status === 'fulfilled' ? 'answers' : 'does not answer' },
    { name: 'capabilities', ok: live > 0, detail: `${live} of ${ids.length} live` },
    ...(redis === null ? [] : [{ name: 'redis', ok: true, detail: redis.state().detail }]),
    { name: 'draining', ok: !draining, detail: draining ? 'the gateway is stopping' : 'no' },
  ]
  return { ready: checks.every((check) => check.ok), checks }
}
