import type { Store } from '../store/types.js'

/** Storage locations of a gateway, one line each, without passwords. */
export interface Places {
  readonly ledger: string
  readonly limits: string
  readonly files: string
}

/** A Redis link whose state can be shown. */
export interface ShownLink {
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
