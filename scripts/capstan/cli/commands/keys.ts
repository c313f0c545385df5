import type { Command } from 'commander'
import { allAccounts, findAccount } from '../account.js'
import { addressList, commaList, credits, fromOne, fromZero } from '../arguments.js'
import { pairs } from '../columns.js'
import { examples } from '../example.js'
import { Failure, UsageError } from '../failure.js'
import { loadRegistry } from '../registry.js'
import { print, printList, withStore, type Shell } from '../shell.js'
import type { Config } from '../../../../core/config/types.js'
import type { KeyItem, KeyOrder } from '../../../../core/accounts/key.js'
import { KEY_LIMITS, KEY_PREFIX, SHOWN } from '../../../../core/accounts/layout.js'
import type { KeyService } from '../../../../core/accounts/service.js'
import { systemClock } from '../../../../core/runtime/clock.js'
import { Problem } from '../../../../core/problems/problem.js'
import type { AccountRecord, KeyRecord, Store } from '../../../../core/store/types.js'

/** Keys read at once. */
const PAGE = 1000

/** `capstan keys create|list|revoke|rotate`. */
export function addKeys(program: Command, shell: Shell): void {
  const keys = program.command('keys').description('API keys of accounts')
  examples(keys, 'capstan keys create --account default --name laptop')
  addCreate(keys, shell)
  addList(keys, shell)
  addRevoke(keys, shell)
  addRotate(keys, shell)
}

interface KeyOptions {
  readonly account: string
  readonly name?: string
  readonly rateLimit?: number
  readonly scopes?: string[]
  readonly creditLimit?: number
  readonly creditLimitPerDay?: number
  readonly allowedIps?: string[]
  readonly expiresInDays?: number
}

function addCreate(keys: Command, shell: Shell): void {
  const command = keys.command('create').description('create a key; it is shown only once')
  command
    .requiredOption('--account <account>', 'id or name')
    .option('--name <name>', 'label of the key')
    .option('--rate-limit <n>', 'requests a minute', fromOne(KEY_LIMITS.rate))
    .option(
      '--scopes <list>',
      'capability ids, comma-separated; * at the end matches any ending; manage for keys and usage, files.upload for files',
      commaList,
    )
    .option('--credit-limit <n>', 'credits this key may spend in total', credits)
    .option('--credit-limit-per-day <n>', 'credits this key may spend in a day (UTC)', credits)
    .option('--allowed-ips <list>', 'addresses or CIDR ranges that may use it, comma-separated', addressList)
    .option('--expires-in-days <n>', 'days until it expires', fromOne(KEY_LIMITS.days))
  examples(
    command,
    'capstan keys create --account default --name laptop',
    'capstan keys create --account default --scopes search,scrape --credit-limit 50',
    'capstan keys create --account default --allowed-ips 203.0.113.7,2001:db8::/32 --credit-limit-per-day 10',
  )
  command.action(async (options: KeyOptions) => {
    if ((options.name ?? '').length > KEY_LIMITS.name) throw new UsageError(`--name must have at most ${KEY_LIMITS.name} characters`)
    await withKeys(shell, command, options.scopes !== undefined, async (service, store) => {
      const { id } = await findAccount(store, options.account)
      const created = await service.create(id, order(options), null).catch(byOption)
      await recorded(store, 'key.create', id, created.id)
      await print(shell, command, created, `${pairs({ ...created })}\n\nThe key is not shown again.`)
    })
  })
}

/** Options by the fields of the API that they fill. */
const OPTIONS: Readonly<Record<string, string>> = {
  scopes: '--scopes',
  credit_limit: '--credit-limit',
  credit_limit_per_day: '--credit-limit-per-day',
  allowed_ips: '--allowed-ips',
}

/** Faults of fields as faults of the options that filled them. */
function byOption(error: unknown): never {
  const faults = error instanceof Problem ? (error.options.validation ?? []) : []
  const named = faults.flatMap(({ loc, msg }) => {
    const option = OPTIONS[String(loc[1])]
    return option === undefined ? [] : [`${option}: ${msg}`]
  })
  if (named.length === 0) throw error
  throw new UsageError(named.join('; '))
}

function order({ name = '', rateLimit, scopes, creditLimit, creditLimitPerDay, allowedIps, expiresInDays }: KeyOptions): KeyOrder {
  return {
    name,
    ...(creditLimitPerDay === undefined ? {} : { credit_limit_per_day: creditLimitPerDay }),
    ...(allowedIps === undefined ? {} : { allowed_ips: allowedIps }),
    ...(rateLimit === undefined ? {} : { rate_limit_per_minute: rateLimit }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(creditLimit === undefined ? {} : { credit_limit: creditLimit }),
    ...(expiresInDays === undefined ? {} : { expires_in_days: expiresInDays }),
  }
}

function addList(keys: Command, shell: Shell): void {
  const command = keys
    .command('list')
    .description('list active keys with their rights and spending, of one account or of all')
    .option('--account <account>', 'id or name')
  examples(command, 'capstan keys list --account default')
  command.action(async ({ account }: { account?: string }) => {
    await withKeys(shell, command, false, async (service, store) => {
      const list = []
      for await (const owner of owners(store, account))
        for await (const key of allKeys(service, owner.id)) list.push({ ...key, account: owner.id })
      await printList(shell, command, { document: { keys: list }, headings: HEADINGS, rows: list.map(row) })
    })
  })
}

const HEADINGS = ['id', 'account', 'name', 'prefix', 'a minute', 'scopes', 'used', 'limit', 'a day', 'addresses', 'last used', 'expires']

function row(key: KeyItem & { readonly account: string }): unknown[] {
  const spending = [key.credits_used, key.credit_limit, key.credit_limit_per_day]
  const times = [key.last_used_at, key.expires_at]
  return [
    key.id,
    key.account,
    key.name,
    key.key_prefix,
    key.rate_limit_per_minute,
    key.scopes ?? 'all',
    ...spending,
    key.allowed_ips ?? 'any',
    ...times,
  ]
}

function addRevoke(keys: Command, shell: Shell): void {
  const command = keys
    .command('revoke')
    .argument('<id>', 'id of the key')
    .description('revoke a key immediately')
    .option('--account <account>', 'id or name, when known')
  examples(command, 'capstan keys revoke key_01JD3Q')
  command.action(async (id: string, { account }: { account?: string }) => {
    await withKeys(shell, command, false, async (service, store) => {
      const { owner, key } = await keyOf(store, service, { id, account })
      if (key.revoked_at === null) {
        await service.revoke(owner.id, id, null)
        await recorded(store, 'key.revoke', owner.id, id)
      }
      const words = key.revoked_at === null ? `revoked ${id}` : `${id} is already revoked`
      await print(shell, command, { id, account: owner.id, revoked: true }, words)
    })
  })
}

function addRotate(keys: Command, shell: Shell): void {
  const command = keys.command('rotate').argument('<id>', 'id of the key').description('replace a key by a new one with the same rights')
  command
    .option('--account <account>', 'id or name, when known')
    .option('--overlap-seconds <n>', 'how long the old key still works', fromZero(KEY_LIMITS.overlap), 0)
  examples(command, 'capstan keys rotate key_01JD3Q --overlap-seconds 3600')
  command.action(async (id: string, { account, overlapSeconds }: { account?: string; overlapSeconds: number }) => {
    await withKeys(shell, command, false, async (service, store) => {
      const { owner, key } = await keyOf(store, service, { id, account })
      if (key.revoked_at !== null || (key.expires_at ?? Infinity) <= Date.now())
        throw new Failure(`${id} is revoked or expired; create a new key with capstan keys create --account ${owner.name}`)
      const created = await service.rotate(owner.id, id, overlapSeconds, null)
      await recorded(store, 'key.rotate', owner.id, created.id)
      await print(shell, command, created, `${pairs({ ...created })}\n\nThe key is not shown again.`)
    })
  })
}

/** Writes an audit entry, as the admin API does. */
async function recorded(store: Store, action: string, account: string, key: string): Promise<void> {
  const { AccountService } = await import('../../../../core/credits/account-service.js')
  await new AccountService(store, systemClock).audit('cli', action, account, { key_id: key })
}

interface WantedKey {
  readonly id: string
  readonly account: string | undefined
}

/** A key and its account; throws a Failure with the probable key when there is none. */
async function keyOf(store: Store, service: KeyService, { id, account }: WantedKey): Promise<{ owner: AccountRecord; key: KeyRecord }> {
  for await (const owner of owners(store, account)) {
    const key = await store.keys.get(owner.id, id)
    if (key !== null) return { owner, key }
  }
  for await (const owner of owners(store, account))
    for await (const key of allKeys(service, owner.id)) {
      if (id.startsWith(key.key_prefix)) throw new Failure(`${key.key_prefix}… is a key; this command needs its id, ${key.id}`)
      if (key.name === id) throw new Failure(`${id} is the name of a key; this command needs its id, ${key.id}`)
    }
  const shown = id.startsWith(KEY_PREFIX) ? `${id.slice(0, SHOWN)}…` : id
  throw new Failure(`there is no key ${shown}${account === undefined ? '' : ` of ${account}`}; list active keys with capstan keys list`)
}

async function* owners(store: Store, account: string | undefined): AsyncGenerator<AccountRecord> {
  if (account === undefined) yield* allAccounts(store)
  else yield await findAccount(store, account)
}

async function* allKeys(service: KeyService, account: string): AsyncGenerator<KeyItem> {
  for (let offset = 0; ; offset += PAGE) {
    const { keys } = await service.list(account, { limit: PAGE, offset })
    yield* keys
    if (keys.length < PAGE) return
  }
}

/** Runs work with the key service; reads capability ids, which loads every plugin, only to check scopes. */
async function withKeys(
  shell: Shell,
  command: Command,
  scoped: boolean,
  work: (service: KeyService, store: Store) => Promise<void>,
): Promise<void> {
  await withStore(shell, command, async (store, config) => {
    const scopes = scoped ? await capabilityIds(shell, config) : []
    await work(await shell.parts.keys(store, { scopes, most: config.settings.limits.keys }), store)
  })
}

async function capabilityIds(shell: Shell, config: Config): Promise<string[]> {
  const registry = await loadRegistry(shell, config)
  try {
    return [...registry.capabilities.keys()]
  } finally {
    await registry.dispose()
  }
}
