import type { Caller } from '../accounts/caller.js'
import type { Balances, LedgerService } from '../credits/ledger-service.js'
import type { Deliveries, PendingRefunds } from '../credits/deliveries.js'
import type { CallEnvironments } from '../dispatch/ports.js'
import type { Progress } from '../dispatch/call.js'
import type { WorkSlots } from '../limits/slots.js'
import type { UnpaidUse } from '../limits/unpaid.js'
import type { LoadedCapability } from '../loader/types.js'
import type { Problem } from '../problems/problem.js'
import type { Clock } from '../runtime/clock.js'
import type { RunningCalls } from '../runtime/running.js'
import type { LedgerStore, Milli } from '../store/types.js'
import type { AnswerEncoder } from './encode.js'
import type { IdempotencyService } from './idempotency/service.js'

/** Dependencies of a running call. */
export interface CallServices {
  readonly environments: CallEnvironments
  readonly clock: Clock
  readonly ledger: LedgerService
  readonly deliveries: Deliveries
  readonly refunds: PendingRefunds
  readonly idempotency: IdempotencyService
  readonly ledgerStore: LedgerStore
  readonly slots: WorkSlots
  readonly unpaid: UnpaidUse
  readonly running: RunningCalls
  readonly balances: Balances
  readonly encoder: AnswerEncoder
  readonly instance: string
  /** Public address that prefixes error types. */
  readonly publicUrl: () => string
  /** Largest answer in bytes. */
  readonly answerLimit: number
  /** Most bytes of an account's files and kept answers together. */
  readonly storageQuota: number
}

/** A paid call, admitted and validated. */
export interface CallOrder {
  readonly caller: Caller
  readonly loaded: LoadedCapability
  /** Checked against the capability's input schema, defaults filled in. */
  readonly input: unknown
  readonly requestId: string
  readonly product: string
  /** `/v1/agent` when called by name. */
  readonly via: string | null
  readonly idempotency: {
    readonly key: string
    readonly fingerprint: string
    /** A caller that disconnects ends the call and frees the key (`Prefer: cancel-on-disconnect`). */
    readonly cancelOnDisconnect: boolean
  } | null
  /** Monotonic milliseconds when the request arrived. */
  readonly started: number
  /** Reserves memory for the answer before it is charged; unlimited if absent. Throws `overloaded`. */
  readonly room?: { reserve(bytes: number): void } | null
  readonly onProgress: ((progress: Progress) => void) | null
  /** Called when the credits are held and the call has a slot or is queued; if queued, again when the work begins. */
  readonly onAdmitted: (() => void) | null
  /** Reloads the caller's key. */
  readonly refresh: () => Promise<Caller>
}

/** The outcome of a call, with its encoded answer. */
export interface CallOutcome {
  readonly status: number
  /** A text, or UTF-8 bytes. A short text is written together with its headers. */
  readonly body: string | Uint8Array
  readonly creditsUsed: Milli
  /** Charged by this request; 0 for an answer that was charged before. */
  readonly charged: Milli
  readonly balance: Milli | null
  readonly replayed: boolean
  /** The call reached the ledger, which has its record. */
  readonly recorded: boolean
  /** A failure that counts as an abort: it hit a limit of time or memory or its deadline, or sent a partial result. */
  readonly costly: boolean
  /** Null on success. */
  readonly problem: Problem | null
  /** Slug for metrics and log: the problem's, or `client-closed` if the caller disconnected first; empty on success. */
  readonly slug: string
  /** Detail of the failure for the log only, unless a provider's line has it. */
  readonly internal?: string
  /** Vendor whose data the answer contains, or a word for several. */
  readonly provider: string | null
  /** The charge is final, whether or not the answer is delivered. */
  readonly isFinal: boolean
  /** Call when at least half of the answer was written: the charge is then final. */
  readonly delivered: () => void
  /** Call when less was written: refunds the charge, unless it is final (kept answer, external effect, part sent). */
  readonly lost: () => Promise<void>
}

/** A running call. */
export interface RunningCall {
  readonly outcome: Promise<CallOutcome>
  /** Call when the caller disconnects. Stops the work, unless it has an Idempotency-Key, an external effect or a partial result sent. */
  readonly hangUp: () => void
}
