import type { Clock } from '../runtime/clock.js'
import { ulid } from '../runtime/id.js'
import type { Caller } from '../accounts/caller.js'
import { answered } from '../runtime/answered.js'
import {
  StoreUnavailable,
  type Balance,
  type CapRoom,
  type ChargeRequest,
  type Facts,
  type HoldRequest,
  type HoldResult,
  type LedgerStore,
  type Milli,
  type Settlement,
} from '../store/types.js'
import { holdRefusal } from './hold-refusal.js'
import type { Reversal, PendingReversals } from './pending-reversals.js'

/** Money set aside for one call. */
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
  /** What the history says of the call should its gateway die. */
  readonly call?: HoldRequest['call']
  /** Told the account's balance when it is too low. */
  readonly onRefused?: (balance: Milli) => void
  /** The id to hold under, when it is already written elsewhere; a fresh one otherwise. */
  readonly hold?: string
  /** Refused when the account's files and kept answers take so many bytes or more: of a call whose answer is to be kept. */
  readonly storedBelow?: number
}

interface LedgerServiceOptions {
  readonly instance: string
  /** Open holds of an account without a limit of its own. */
  readonly accountConcurrency: number
  /** How long an unknown outcome is asked after, in milliseconds; a first try may take longer, a later one never ends after it. */
  readonly retryMs: number
}

/** A hold is tried a second time only when the first try failed within this, in milliseconds: a caller hears soon that the ledger is away. */
const AGAIN_WITHIN_MS = 300
/** How long a caller whose call the ledger has failed waits for its hold to be undone, in milliseconds. */
const ABANDON_MS = 50
/** A hold outlives its call by this much before a sweeper may take it, in milliseconds. */
const DEADLINE_GRACE_MS = 30_000

/** Takes, charges and gives back: one conditional command each, every unknown outcome settled in the caller's favour. */
export class LedgerService {
  readonly #ledger: LedgerStore
  readonly #clock: Clock
  readonly #reversals: PendingReversals
  readonly #settings: LedgerServiceOptions
  /** Charges on their way that stand whatever becomes of the answer, by hold: a repeated request may ask what became of one. */
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
   * Holds the price of a call. `refresh` reads the key again when the account's epoch has moved. Throws 402, 403, 429 or 401
   * problems, StoreUnavailable when the ledger is out of reach.
   */
  async hold(caller: Caller, order: HoldTerms, refresh: () => Promise<Caller>): Promise<Hold> {
    let known = caller
    let hold = order.hold ?? this.newHold()
    const began = this.#clock.monotonic()
    for (let round = 0; ; round++) {
      const result = await this.#tryHold(known, order, hold)
      if (result instanceof StoreUnavailable) {
        // The id is never used again: the lost command may yet have been carried out.
        // Nor may another id take the place of one that is written with an Idempotency-Key: the replay would not find its charge.
        const late = this.#clock.monotonic() - began > AGAIN_WITHIN_MS
        if (round > 0 || late || order.hold !== undefined) throw unheld(result)
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

  /** What the caps of a key have left; nothing when the ledger does not say. */
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
   * Charges a hold, at most what it holds. Repeats the same command while its outcome is unknown; when it stays so the hold is
   * voided and StoreUnavailable thrown, and when a sweeper was first the call must not be answered as a success. With `delivery` none
   * the charge stands whatever becomes of the answer.
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
   * Waits until nothing that this gateway does with a hold is under way, so that what the ledger says of it stands. Throws
   * StoreUnavailable when the hold is still being undone after a moment.
   */
  async settled(hold: string): Promise<void> {
    await this.#charging.get(hold)
    if (!this.#reversals.has(hold)) return
    await Promise.race([this.#reversals.flush(), pause(ABANDON_MS)])
    if (this.#reversals.has(hold)) throw new StoreUnavailable('an earlier charge of this answer is still being given back')
  }

  /** Holds that are still to be undone. */
  get undoing(): number {
    return this.#reversals.size
  }

  /** Gives a hold back. Already resolved is fine. */
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
   * Gives a hold back whose call failed because the ledger did not answer: whatever has become of it, it costs nothing. False when
   * the ledger is still away after a moment; it is then undone when it returns, and the caller, who has waited already, is not kept.
   */
  async abandon(hold: Hold, facts: Facts): Promise<boolean> {
    this.#reversals.add({ ...hold, facts })
    await Promise.race([this.#reversals.flush(), pause(ABANDON_MS)])
    return !this.#reversals.has(hold.hold)
  }

  /** Gives a charge back whose answer never reached the caller. */
  async refund(hold: Hold, reason: string): Promise<void> {
    const { account, hold: id } = hold
    const undo = { ...hold, charged: true }
    await this.#persist(undo, () =>
      this.#ledger.refund({ account, hold: id, reason, owner: this.#settings.instance, now: this.#clock.now() }),
    )
  }

  /** Repeats a command while its outcome is unknown, then has the hold undone and says that the ledger is away. One that `charges` may have charged it. */
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

/** Why a hold was not taken, with what the database said last. */
function unheld(error: StoreUnavailable): StoreUnavailable {
  const outcome = error.sent ? 'the outcome of a hold stayed unknown' : 'a hold was not taken'
  return new StoreUnavailable(`${outcome}: ${error.message}`, { cause: error, sent: error.sent, full: error.full })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
