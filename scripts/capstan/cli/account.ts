import { nearest } from '../../../core/sdk/nearest.js'
import type { AccountRecord, Store } from '../../../core/store/types.js'
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

/** The place of a store: the first part of its description. */
function placeOf(description: string): string {
  return description.split(': ')[0] ?? description
}

/** An account by id or name; throws a Failure with the nearest name when there is none. */
export async function findAccount(store: Store, nameOrId: string): Promise<AccountRecord> {
  const found = (await store.accounts.get(nameOrId)) ?? (await store.accounts.byName(nameOrId))
  if (found !== null) return found
  const names = (await store.accounts.list({ limit: PAGE, offset: 0 })).map(({ name }) => name)
  const near = nearest(nameOrId, names)
  const said = `there is no account ${nameOrId === '' ? '""' : nameOrId}`
  if (near !== null) throw new Failure(`${said}; did you mean ${near}?`)
  if (names.length === 0)
    throw new Failure(
      `${said}, and no account at all in ${placeOf(await store.describe())}: CAPSTAN_DATA and CAPSTAN_STORE must be those of the gateway`,
    )
  if (nameOrId.startsWith('key_')) throw new Failure(`${said}: this is the id of a key; capstan keys list shows its account`)
  throw new Failure(`${said}; list accounts with capstan accounts list, create one with capstan accounts create`)
}
