import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { allAccounts, findAccount } from '../account.js'
import { creditsOrNone } from '../arguments.js'
import { pairs } from '../columns.js'
import { examples } from '../example.js'
import { Failure, UsageError } from '../failure.js'
import { warnOfRefusedPrograms } from '../refused-programs.js'
import { print, printList, withStore, type Shell } from '../shell.js'
import { toCredits, toMilli } from '../../../../core/store/amount.js'
import { systemClock } from '../../../../core/runtime/clock.js'
import { ulid } from '../../../../core/runtime/id.js'
import type { AccountRecord, Store } from '../../../../core/store/types.js'

/** `capstan accounts list|create|show|disable|enable`. */
export function addAccounts(program: Command, shell: Shell): void {
  const accounts = program.command('accounts').description('accounts and their balances')
  examples(accounts, 'capstan accounts list')
  addList(accounts, shell)
  addCreate(accounts, shell)
  addShow(accounts, shell)
  addSwitch(accounts, shell, 'disable')
  addSwitch(accounts, shell, 'enable')
}

function addList(accounts: Command, shell: Shell): void {
  const command = accounts.command('list').description('all accounts with balance, held and available credits')
  examples(command, 'capstan accounts list --json')
  command.action(async () => {
    await withStore(shell, command, async (store) => {
      const list = []
      for await (const { id, name, balance, held, available } of allAccounts(store))
        list.push({ id, name, balance: toCredits(balance), held: toCredits(held), available: toCredits(available) })
      const rows = list.map(({ id, name, balance, held, available }) => [id, name, balance, held, available])
      await printList(shell, command, { document: { accounts: list }, headings: ['id', 'name', 'balance', 'held', 'available'], rows })
    })
  })
}

interface AccountOptions {
  readonly name: string
  readonly credits: number
}

function addCreate(accounts: Command, shell: Shell): void {
  const command = accounts.command('create').description('create an account, optionally with credits')
  command
    .requiredOption('--name <name>', 'name of the account, at most 100 characters')
    .option('--credits <n>', 'initial credits, 0 by default', creditsOrNone, 0)
  examples(command, 'capstan accounts create --name research --credits 500')
  command.action(async (options: AccountOptions) => {
    await withStore(shell, command, async (store, config) => {
      const { id, name } = await create(store, options.name)
      const balance = options.credits === 0 ? 0 : await grant(store, id, options.credits)
      await print(shell, command, { id, name, balance }, pairs({ id, name, balance }))
      await warnOfRefusedPrograms(shell, config)
    })
  })
}

async function create(store: Store, name: string): Promise<AccountRecord> {
  if (name.trim() === '' || name.length > 100) throw new UsageError('--name must have 1 to 100 characters')
  if ((await store.accounts.byName(name)) !== null)
    throw new Failure(`the account ${name} already exists; add credits to it with capstan credits grant`)
  const now = Date.now()
  const made = await store.accounts.create({ id: `acc_${ulid(now)}`, name, now })
  const { AccountService } = await import('../../../../core/credits/account-service.js')
  await new AccountService(store, systemClock).audit('cli', 'account.create', made.id, { name })
  return made
}

async function grant(store: Store, account: string, amount: number): Promise<number> {
  const result = await store.ledger.post({
    account,
    ref: `opening:${randomUUID()}`,
    kind: 'grant',
    amount: toMilli(amount),
    note: 'opening credits',
    facts: null,
    owner: 'cli',
    now: Date.now(),
  })
  if (!result.ok) throw new Failure(`the account was created, but its credits were refused: ${result.why}`)
  return toCredits(result.balance)
}

function addShow(accounts: Command, shell: Shell): void {
  const command = accounts.command('show').argument('<account>', 'id or name').description('one account in full')
  examples(command, 'capstan accounts show default')
  command.action(async (wanted: string) => {
    await withStore(shell, command, async (store) => {
      const found = await findAccount(store, wanted)
      const document = {
        id: found.id,
        name: found.name,
        balance: toCredits(found.balance),
        held: toCredits(found.held),
        available: toCredits(found.available),
        overage_limit: toCredits(found.overage),
        open_holds: found.open,
        max_open: found.max_open,
        disabled: found.disabled,
        created_at: new Date(found.created_at).toISOString(),
      }
      await print(shell, command, document, pairs(document))
    })
  })
}

function addSwitch(accounts: Command, shell: Shell, action: 'disable' | 'enable'): void {
  const command = accounts
    .command(action)
    .argument('<account>', 'id or name')
    .description(
      action === 'disable'
        ? 'refuse every call of an account from now on (403); its credits and keys are kept'
        : 'allow calls of an account again',
    )
  examples(command, `capstan accounts ${action} research`)
  command.action(async (wanted: string) => {
    await withStore(shell, command, async (store, config) => {
      const { AccountService } = await import('../../../../core/credits/account-service.js')
      const { id, name, disabled: before } = await findAccount(store, wanted)
      const disabled = action === 'disable'
      if (before !== disabled) await new AccountService(store, systemClock).change(id, { disabled }, 'cli')
      const words = before === disabled ? `${name} is already ${action}d` : `${action}d ${name}`
      await print(shell, command, { id, name, disabled, changed: before !== disabled }, words)
      if (!disabled) await warnOfRefusedPrograms(shell, config)
    })
  })
}
