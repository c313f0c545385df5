import type { BlobStore } from '../files/blobs.js'
import type { RedisLink } from '../redis/types.js'
import type { Store } from '../store/types.js'

/** Where a gateway keeps what it must not lose, one line each, without a password. */
export interface Places {
  readonly ledger: string
  readonly limits: string
  readonly files: string
}

/** What the three settings `store`, `redis` and `artifacts` came to. */
export async function placesOf(parts: { store: Store; redis: RedisLink | null; blobs: BlobStore }): Promise<Places> {
  const { store, redis, blobs } = parts
  return {
    ledger: await store.describe(),
    limits: redis === null ? 'in the memory of this process, shared with no other' : limitsOf(redis),
    files: blobs.describe(),
  }
}

function limitsOf(redis: RedisLink): string {
  const { shared, detail } = redis.state()
  return `${shared ? 'shared between replicas; ' : ''}Redis ${detail}`
}
