import type { Clock } from '../runtime/clock.js'
import { ulid } from '../runtime/id.js'
import { Problem } from '../problems/problem.js'
import type { AccountRecord, AccountStore, LedgerStore, PostResult, SettingsStore } from '../store/types.js'
import { toCredits, toMilli } from '../store/amount.js'
import { noAccount } from '../accounts/service.js'
import { operatorRef } from './references.js'

interface AccountChange {
  readonly overage_limit?: number
  readonly concurrency?: number | null
  readonly disabled?: boolean
  readonly name?: string
}

interface GrantOrder {
  readonly amount: number
  /** The operator's reference, as given. */
  readonly ref: string
  readonly note?: string | undefined
  readonly actor: string
}

/** Reference of an account's opening balance. */
const OPENING = 'opening-balance'

/** Operations on accounts, for the admin API and the command line. Every change is an audit entry. */
export class AccountService {
  readonly #accounts: AccountStore
  readonly #ledger: LedgerStore
  readonly #settings: SettingsStore
  readonly #clock: Clock
  readonly #onEnabled: () => void

  /** `onEnabled` is called after an account was created, enabled or disabled. */
  constructor(
    store: { accounts: AccountStore; ledger: LedgerStore; settings: SettingsStore },
    clock: Clock,
    onEnabled: () => void = () => undefined,
  ) {
    this.#accounts = store.accounts
    this.#ledger = store.ledger
    this.#settings = store.settings
    this.#clock = clock
    this.#onEnabled = onEnabled
  }

  async list(page: { limit: number; offset: number }) {
    return (await this.#accounts.list(page)).map((account) => {
      const { id, name, balance, held, available } = format(account)
      return { id, name, balance, held, available }
    })
  }

  /** Creates an account; its opening balance is a grant. */
  async create(name: string, credits: number, actor: string): Promise<{ id: string; name: string; balance: number }> {
    if (milli(credits, 'credits') < 0) throw invalid('credits', 'must not be negative')
    const now = this.#clock.now()
    const { id } = await this.#accounts.create({ id: `acc_${ulid(now)}`, name, now })
    this.#onEnabled()
    await this.audit(actor, 'account.create', id, { name, credits })
    if (credits > 0) await this.openBalance(id, credits, actor)
    return { id, name, balance: credits }
  }

  async show(id: string) {
    return format(await this.#find(id))
  }

  /** The account with this id or, failing that, this name. Throws `not-found`. */
  async find(idOrName: string): Promise<AccountRecord> {
    return (await this.#accounts.get(idOrName)) ?? (await this.#accounts.byName(idOrName)) ?? unknownAccount()
  }

  /** Posts credits once per reference; a negative amount is a correction. Throws `conflict` if it cannot be applied. */
  async grant(id: string, order: GrantOrder) {
    return await this.#post(id, order, operatorRef(order.ref))
  }

  /** Grants the opening balance, once. */
  async openBalance(id: string, credits: number, actor: string): Promise<void> {
    await this.#post(id, { amount: credits, ref: OPENING, actor }, OPENING)
  }

  /** Posts under `ref`; the result and the audit entry name the operator's reference. */
  async #post(id: string, order: GrantOrder, ref: string) {
    if (order.amount === 0) throw invalid('amount', 'must not be zero')
    const amount = milli(order.amount, 'amount')
    const result = await this.#ledger.post({
      account: id,
      ref,
      kind: amount > 0 ? 'grant' : 'adjust',
      amount,
      note: order.note ?? null,
      facts: null,
      owner: order.actor,
      now: this.#clock.now(),
    })
    if (!result.ok) throw amount < 0 && result.why === 'insufficient' ? await this.#tooMuch(id) : refused(result)
    if (result.applied)
      await this.audit(order.actor, amount > 0 ? 'credits.grant' : 'credits.adjust', id, { amount: order.amount, ref: order.ref })
    return { account: id, ref: order.ref, balance: toCredits(result.balance), applied: result.applied }
  }

  async #tooMuch(id: string): Promise<Problem> {
    const { balance, held } = await this.#find(id)
    const most = toCredits(Math.max(0, balance - held))
    return new Problem(
      'conflict',
      `A correction can take at most the credits that no running call holds: ${most} (balance ${toCredits(balance)}, held ${toCredits(held)}).`,
      { action: 'Use a smaller amount, or wait until running calls have ended.' },
    )
  }

  async change(id: string, change: AccountChange, actor: string) {
    await this.#find(id)
    const now = this.#clock.now()
    if (change.overage_limit !== undefined && change.overage_limit < 0) throw invalid('overage_limit', 'must not be negative')
    if (change.overage_limit !== undefined) {
      const result = await this.#ledger.setOverage({
        account: id,
        limit: milli(change.overage_limit, 'overage_limit'),
        ref: `overage:${ulid(now)}`,
        owner: actor,
        now,
      })
      if (!result.ok) throw refused(result)
    }
    const { concurrency, disabled, name } = change
    if (concurrency !== undefined || disabled !== undefined || name !== undefined)
      await this.#accounts.patch(id, {
        ...(concurrency === undefined ? {} : { max_open: concurrency }),
        ...(disabled === undefined ? {} : { disabled }),
        ...(name === undefined ? {} : { name }),
      })
    if (disabled !== undefined) this.#onEnabled()
    await this.audit(actor, 'account.change', id, { ...change })
    return await this.show(id)
  }

  async audit(actor: string, action: string, target: string, detail: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#settings.audit({ at: this.#clock.now(), actor, action, target, detail })
  }

  /** Returns a function that writes audit entries of one actor. */
  auditor(actor: string): (action: string, target: string, detail: Readonly<Record<string, unknown>>) => Promise<void> {
    return (action, target, detail) => this.audit(actor, action, target, detail)
  }

  async #find(id: string): Promise<AccountRecord> {
    return (await this.#accounts.get(id)) ?? unknownAccount()
  }
}

function unknownAccount(): never {
  throw noAccount()
}

function format({ id, name, balance, held, available, overage, max_open, disabled, created_at }: AccountRecord) {
  return {
    id,
    name,
    balance: toCredits(balance),
    held: toCredits(held),
    available: toCredits(available),
    overage_limit: toCredits(overage),
    concurrency: max_open,
    disabled,
    created_at: new Date(created_at).toISOString(),
  }
}

function refused(result: Exclude<PostResult, { ok: true }>): Problem {
  switch (result.why) {
    case 'absent':
      return noAccount()
    case 'insufficient':
      return new Problem('conflict', 'The account does not have that much available.')
    case 'conflict':
      return new Problem('conflict', 'The reference (ref) was used before with another amount or kind.', {
        action: 'Use a new ref for other credits; the same ref with the same amount changes nothing.',
      })
  }
}

function milli(credits: number, field: string): number {
  try {
    return toMilli(credits)
  } catch (error) {
    if (error instanceof RangeError) throw invalid(field, error.message)
    throw error
  }
}

function invalid(field: string, msg: string): Problem {
  return new Problem('validation-failed', `${field}: ${msg}`, { validation: [{ loc: ['body', field], msg, type: 'value_error' }] })
}

const ACCOUNTS_A_PAGE = 100

/** Number of enabled accounts, counting stops at two. */
export async function enabledAccounts({ accounts }: { readonly accounts: AccountStore }): Promise<number> {
  let enabled = 0
  for (let offset = 0; enabled < 2; offset += ACCOUNTS_A_PAGE) {
    const page = await accounts.list({ limit: ACCOUNTS_A_PAGE, offset })
    enabled += page.filter(({ disabled }) => !disabled).length
    if (page.length < ACCOUNTS_A_PAGE) break
  }
  return Math.min(enabled, 2)
}
