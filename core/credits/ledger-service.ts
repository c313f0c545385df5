import { accountDisabled, type Caller } from '../accounts/caller.js'
import { Problem } from '../problems/problem.js'
import { answered } from '../runtime/answered.js'
import type { Clock } from '../runtime/clock.js'
import { ulid } from '../runtime/id.js'
import { recentlyUsed } from '../runtime/recent.js'
import { toCredits } from '../store/amount.js'
import {
  type Balance,
  type CapRoom,
  type ChargeRequest,
  type Facts,
  type HoldRequest,
  type HoldResult,
  type LedgerStore,
  type Milli,
  type Settlement,
  StoreUnavailable,
} from '../store/types.js'
import type { PendingReversals, Reversal } from './pending-reversals.js'

/** Credits held for one call. */
export interface Hold extends Balance {
  readonly account: string
  readonly hold: string
  readonly amount: Milli
}

interface HoldTerms {
  readonly amount: Milli
  readonly capability: string
  /** Most milliseconds the call may take. */
  readonly limitMs: number
  /** What the history records of the call should its gateway die. */
  readonly call?: HoldRequest['call']
  /** Called with the account's balance when it is too low. */
  readonly onRefused?: (balance: Milli) => void
  /** The hold id, when it is already written elsewhere; a fresh one otherwise. */
  readonly hold?: string
  /** For a call whose answer is kept: refused if the account's files and kept answers take this many bytes or more. */
  readonly storedBelow?: number
}

interface LedgerServiceOptions {
  readonly instance: string
  /** Open holds of an account without a limit of its own. */
  readonly accountConcurrency: number
  /** How long a command with an unknown outcome is retried, in milliseconds; bounds all tries except the first. */
  readonly retryMs: number
}

/** A hold is retried only if the first try failed within this, in ms: callers are refused quickly without a ledger. */
const AGAIN_WITHIN_MS = 300
/** How long a caller waits for the release of its hold after the ledger failed, in milliseconds. */
const ABANDON_MS = 50
/** A hold outlives its call by this much before a sweeper may take it, in milliseconds. */
const DEADLINE_GRACE_MS = 30_000

/** Holds, charges and refunds: one conditional command each, every unknown outcome settled in the caller's favour. */
export class LedgerService {
  readonly #ledger: LedgerStore
  readonly #clock: Clock
  readonly #reversals: PendingReversals
  readonly #settings: LedgerServiceOptions
  /** Running charges with delivery `none`, by hold: a repeated request waits for their outcome. */
  readonly #charging = new Map<string, Promise<unknown>>()

  constructor(ledger: LedgerStore, clock: Clock, about: LedgerServiceOptions & { reversals: PendingReversals }) {
    this.#ledger = ledger
    this.#clock = clock
    this.#reversals = about.reversals
    this.#settings = about
  }

  /** A fresh hold id: a ULID, never derived from anything the caller sent. */
  newHold(): string {
    return ulid(this.#clock.now())
  }

  /**
   * Holds the price of a call. `refresh` reads the key again when the account's epoch has moved. Throws 402, 403, 429
   * or 401 problems, StoreUnavailable when the ledger is unreachable.
   */
  async hold(caller: Caller, order: HoldTerms, refresh: () => Promise<Caller>): Promise<Hold> {
    let known = caller
    let hold = order.hold ?? this.newHold()
    const began = this.#clock.monotonic()
    for (let round = 0; ; round++) {
      const result = await this.#tryHold(known, order, hold)
      if (result instanceof StoreUnavailable) {
        // The id is never reused: the lost command may still be carried out.
        // Nor may an id stored with an Idempotency-Key be replaced: the replay would not find its charge.
        const late = this.#clock.monotonic() - began > AGAIN_WITHIN_MS
        if (round > 0 || late || order.hold !== undefined) throw holdFailed(result)
        hold = this.newHold()
        continue
      }
      if (result.ok)
        return {
          account: known.account.id,
          hold,
          amount: order.amount,
          balance: result.balance,
          held: result.held,
          available: result.available,
        }
      if (result.why === 'stale-auth' && round < 3) {
        known = await refresh()
        continue
      }
      if (result.why === 'insufficient') order.onRefused?.(result.balance)
      const rooms = result.why === 'capped' ? await this.#roomOf(known) : []
      throw holdRefusal(result, order, { rooms, key: known.key.id, now: this.#clock.now() })
    }
  }

  /** Remaining amounts of the caps of a key; empty when the ledger is unavailable. */
  async #roomOf({ account, key }: Caller): Promise<readonly CapRoom[]> {
    try {
      return await this.#ledger.capRoom(account.id, key.caps, this.#clock.now())
    } catch (error) {
      if (error instanceof StoreUnavailable) return []
      throw error
    }
  }

  async #tryHold(caller: Caller, order: HoldTerms, hold: string): Promise<HoldResult | StoreUnavailable> {
    const { account, key } = caller
    try {
      return await this.#ledger.hold({
        account: account.id,
        hold,
        amount: order.amount,
        deadline: this.#clock.now() + order.limitMs + DEADLINE_GRACE_MS,
        owner: this.#settings.instance,
        auth: account.auth,
        key: key.id,
        capped: caller.capped,
        ...(caller.capped ? { caps: key.caps } : {}),
        capability: order.capability,
        maxOpen: account.max_open ?? this.#settings.accountConcurrency,
        ...(order.call === undefined ? {} : { call: order.call }),
        ...(order.storedBelow === undefined ? {} : { storedBelow: order.storedBelow }),
        now: this.#clock.now(),
      })
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (error.sent) this.#reversals.add({ account: account.id, hold })
      return error
    }
  }

  /**
   * Charges a hold, at most its amount. Repeats the command while its outcome is unknown; when it stays unknown the
   * hold is voided. Throws StoreUnavailable then, and when a sweeper resolved the hold first: the call must not be
   * answered as a success. With `delivery` none the charge is final whether or not the answer arrives.
   */
  async charge(
    hold: Hold,
    amount: Milli,
    facts: Facts,
    { delivery = 'awaited', keptBytes }: Pick<ChargeRequest, 'delivery' | 'keptBytes'> = {},
  ): Promise<Balance> {
    const command = (): Promise<Settlement> =>
      this.#ledger.charge({
        account: hold.account,
        hold: hold.hold,
        amount,
        owner: this.#settings.instance,
        facts,
        delivery,
        ...(keptBytes === undefined ? {} : { keptBytes }),
        now: this.#clock.now(),
      })
    const charging = this.#persist(hold, command, true)
    const result = await (delivery === 'none' ? this.#followed(hold.hold, charging) : charging)
    if (result.ok) return result
    throw new StoreUnavailable(`the hold of this call was ${result.why} before it could be charged`)
  }

  async #followed<T>(hold: string, charging: Promise<T>): Promise<T> {
    this.#charging.set(
      hold,
      charging.catch(() => undefined),
    )
    try {
      return await charging
    } finally {
      this.#charging.delete(hold)
    }
  }

  /**
   * Waits until this gateway has no running command on a hold, so that its state in the ledger is final. Throws
   * StoreUnavailable when the hold is still being undone after `ABANDON_MS`.
   */
  async settled(hold: string): Promise<void> {
    await this.#charging.get(hold)
    if (!this.#reversals.has(hold)) return
    await Promise.race([this.#reversals.flush(), pause(ABANDON_MS)])
    if (this.#reversals.has(hold)) throw new StoreUnavailable('an earlier charge of this answer is still being undone')
  }

  /** Number of holds still to be undone. */
  get undoing(): number {
    return this.#reversals.size
  }

  /** Releases a hold; does nothing when it is already resolved. */
  async release(hold: Hold, reason: string, facts: Facts | null): Promise<void> {
    const undo = facts === null ? hold : { ...hold, facts }
    await this.#persist(undo, () =>
      this.#ledger.release({
        account: hold.account,
        hold: hold.hold,
        owner: this.#settings.instance,
        reason,
        facts,
        now: this.#clock.now(),
      }),
    )
  }

  /**
   * Voids a hold whose call failed because the ledger did not answer: whatever its state, it costs nothing. False when
   * the ledger is still away after `ABANDON_MS`; the hold is then undone once the ledger is back, and the caller does
   * not wait.
   */
  async abandon(hold: Hold, facts: Facts): Promise<boolean> {
    this.#reversals.add({ ...hold, facts })
    await Promise.race([this.#reversals.flush(), pause(ABANDON_MS)])
    return !this.#reversals.has(hold.hold)
  }

  /** Refunds a charge whose answer never reached the caller. */
  async refund(hold: Hold, reason: string): Promise<void> {
    const { account, hold: id } = hold
    const undo = { ...hold, charged: true }
    await this.#persist(undo, () =>
      this.#ledger.refund({ account, hold: id, reason, owner: this.#settings.instance, now: this.#clock.now() }),
    )
  }

  /** Repeats a command while its outcome is unknown; then queues the reversal and throws. `charges`: it may charge. */
  async #persist<T>(undo: Reversal, command: () => Promise<T>, charges = false): Promise<T> {
    const giveUp = this.#clock.monotonic() + this.#settings.retryMs
    let left: number | null = null
    let charged = undo.charged === true
    for (let wait = 25; ; wait = Math.min(wait * 2, 400)) {
      try {
        return await (left === null ? command() : answered(left, command(), 'The ledger', (message) => new StoreUnavailable(message)))
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        charged ||= charges && error.sent
        left = giveUp - this.#clock.monotonic() - wait
        if (left <= 0) {
          this.#reversals.add({ ...undo, charged })
          throw error
        }
        await pause(wait)
      }
    }
  }
}

/** The error of a hold that was not taken, with the database's last message. */
function holdFailed(error: StoreUnavailable): StoreUnavailable {
  const outcome = error.sent ? 'the outcome of a hold stayed unknown' : 'a hold was not taken'
  return new StoreUnavailable(`${outcome}: ${error.message}`, { cause: error, sent: error.sent, full: error.full })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

const DAY_MS = 86_400_000

interface CapsOfKey {
  readonly key: string
  /** Remaining amounts of each; empty when the ledger was unavailable. */
  readonly rooms: readonly CapRoom[]
  /** Unix milliseconds. */
  readonly now: number
}

/** The refusal of a call that costs more than its key's spending caps have left; names each, its rest and renewal. */
export function capRefusal(amount: Milli, { key, rooms, now }: CapsOfKey): Problem {
  const cost = `This call costs ${toCredits(amount)} credits`
  const short = rooms.flatMap(({ id, total, day }) => {
    const whose = id === key ? 'the key' : 'a key that this one descends from'
    return [
      ...(total !== null && total.left < amount ? [`${whose} has ${left(total)} in its credit_limit, which does not renew`] : []),
      ...(day !== null && day.left < amount
        ? [`${whose} has ${left(day)} in its credit_limit_per_day, which renews at ${renewal(now)}`]
        : []),
    ]
  })
  if (short.length > 0) return new Problem('key-not-allowed', `${cost}, and ${short.join('; ')}.`)
  return new Problem('key-not-allowed', `${cost}, more than the spending cap of the key had left (credit_limit or credit_limit_per_day).`)
}

function left({ limit, left: rest }: { readonly limit: Milli; readonly left: Milli }): string {
  return `${toCredits(rest)} credits left of ${toCredits(limit)} (${toCredits(limit - rest)} used or held by running calls)`
}

function renewal(now: number): string {
  return `${new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString().slice(0, 16)}Z`
}

/** The requested hold. */
interface Wanted {
  readonly amount: Milli
  readonly storedBelow?: number
}

/** The problem of a call whose hold was refused; `caps` are those of its key, with their remaining amounts. */
function holdRefusal(result: Exclude<HoldResult, { ok: true }>, order: Wanted, caps: CapsOfKey): Problem {
  switch (result.why) {
    case 'insufficient':
      return new Problem(
        'insufficient-credits',
        `This call costs ${toCredits(order.amount)} credits and the account has ${toCredits(result.available)} available (balance ${toCredits(result.balance)}, held by running calls ${toCredits(result.held)}).`,
        {
          action:
            'Add credits with capstan credits grant --account <id> --amount <credits> --ref <reference>, or raise the overage limit with PATCH /admin/v1/accounts/<id>.',
        },
      )
    case 'too-many-open':
      return new Problem(
        'too-many-in-flight',
        'The account has as many calls running as its concurrency limit allows (limits.account_concurrency).',
        { retryAfterSeconds: 1 },
      )
    case 'capped':
      return capRefusal(order.amount, caps)
    case 'full':
      return new Problem(
        'overloaded',
        `The account's files and kept answers take its quota of ${((order.storedBelow ?? 0) / 1024 ** 3).toFixed(2)} GiB (artifacts_quota), and the answer to a call with an Idempotency-Key is kept for a day. Files and answers expire by themselves.`,
        { retryAfterSeconds: 60 },
      )
    case 'disabled':
      return accountDisabled()
    case 'stale-auth':
    case 'absent':
      return new Problem('invalid-api-key', 'The API key is mistyped, unknown, revoked or expired.')
    case 'duplicate':
      return new Problem('internal', 'The gateway failed on this call. Nothing was charged.', { internal: 'a hold id was used twice' })
  }
}

/** The last known balance of each account, for answers to calls that move no credits. */
export class Balances {
  readonly #known = recentlyUsed<{ balance: Milli; at: number }>(100_000)
  readonly #monotonic: () => number

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  note(account: string, balance: Milli): void {
    this.#known.set(account, { balance, at: this.#monotonic() })
  }

  /** The newer of the last known balance and the one read with the key. */
  of({ account, readAt }: Caller): Milli {
    const known = this.#known.get(account.id)
    return known === undefined || known.at < readAt ? account.balance : known.balance
  }
}
