import type { Store } from '../store/types.js'

/** Where a gateway keeps what it must not lose, one line each, without a password. */
export interface Places {
  readonly ledger: string
  readonly limits: string
  readonly files: string
}

/** The link to a Redis, as its state is shown. */
export interface ShownLink {
  state(): { readonly shared: boolean; readonly detail: string }
}

interface PlacedParts {
  readonly store: Pick<Store, 'describe'>
  readonly redis: ShownLink | null
  readonly blobs: { describe(): string }
}

/** What the three settings `store`, `redis` and `artifacts` came to. */
export async function placesOf({ store, redis, blobs }: PlacedParts): Promise<Places> {
  return {
    ledger: await store.describe(),
    limits: redis === null ? 'in the memory of this process, shared with no other' : limitsOf(redis),
    files: blobs.describe(),
  }
}

function limitsOf(redis: ShownLink): string {
  const { shared, detail } = redis.state()
  return `${shared ? 'shared between replicas; ' : ''}Redis ${detail}`
}
