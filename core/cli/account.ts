import { nearest } from '../config/nearest.js'
import type { AccountRecord, Store } from '../store/types.js'
import { Failure } from './failure.js'

const PAGE = 500

/** Every account, oldest first, read in pages. */
export async function* allAccounts(store: Store): AsyncGenerator<AccountRecord> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await store.accounts.list({ limit: PAGE, offset })
    yield* page
    if (page.length < PAGE) return
  }
}

/** An account by id or name; throws a Failure naming the nearest when there is none. */
export async function findAccount(store: Store, nameOrId: string): Promise<AccountRecord> {
  const found = (await store.accounts.get(nameOrId)) ?? (await store.accounts.byName(nameOrId))
  if (found !== null) return found
  const names = (await store.accounts.list({ limit: PAGE, offset: 0 })).map(({ name }) => name)
  const near = nearest(nameOrId, names)
  throw new Failure(
    `there is no account ${nameOrId}${near === null ? '; capstan accounts list shows them, capstan accounts create makes one' : `; did you mean ${near}?`}`,
  )
}
