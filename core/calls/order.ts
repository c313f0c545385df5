import type { Progress } from '../dispatch/call.js'
import type { Caller } from '../accounts/caller.js'
import type { LoadedCapability } from '../loader/types.js'
import type { Problem } from '../problems/problem.js'
import type { Milli } from '../store/types.js'

/** A paid call, admitted and validated. */
export interface CallOrder {
  readonly caller: Caller
  readonly loaded: LoadedCapability
  /** Checked against the capability's input schema, defaults filled in. */
  readonly input: unknown
  readonly requestId: string
  readonly product: string
  /** `/v1/agent` when it came that way. */
  readonly via: string | null
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null
  /** Monotonic milliseconds when the request arrived. */
  readonly started: number
  /** Memory for the answer, reserved before it is charged; nothing bounds it without. Throws `overloaded`. */
  readonly room?: { reserve(bytes: number): void } | null
  readonly onProgress: ((progress: Progress) => void) | null
  /** Told when the credits are held and the call has its place, or one in the queue; in that case again when the work begins. */
  readonly onAdmitted: (() => void) | null
  /** Reads the caller's key again. */
  readonly refresh: () => Promise<Caller>
}

/** How a call ended; the answer is ready to be written. */
export interface CallOutcome {
  readonly status: number
  /** A text, or its bytes in UTF-8. A short text as such goes out in one write with its headers. */
  readonly body: string | Uint8Array
  readonly creditsUsed: Milli
  /** What this very request charged: nothing for an answer that was charged before. */
  readonly charged: Milli
  readonly balance: Milli | null
  readonly replayed: boolean
  /** The call reached the ledger, so its record is the entry there. */
  readonly recorded: boolean
  /** It failed and counts as a call that was given up: after work that ran into a limit of time or memory, or to its deadline, or after a part of its result was sent. */
  readonly costly: boolean
  /** Null on success. */
  readonly problem: Problem | null
  /** What metrics and the log name the failure by: the problem's slug, `client-closed` for a caller who left before; empty on success. */
  readonly slug: string
  /** What the log alone says of the failure, unless a provider's line has said it. */
  readonly internal?: string
  /** Vendor whose data the answer is made of, or the word for several. */
  readonly provider: string | null
  /** The charge stands whatever becomes of the answer. */
  readonly stands: boolean
  /** To be called when the answer was written, whole or by the larger part: the charge stands. */
  readonly delivered: () => void
  /** To be called when less was written: what was charged is refunded, unless the answer is kept for a replay, the work acted on the world or a part of the result was sent before. */
  readonly lost: () => Promise<void>
}

/** A call on its way. */
export interface RunningCall {
  readonly outcome: Promise<CallOutcome>
  /** The caller went away. Work under an Idempotency-Key, work that has acted on the world and work of which the caller got a part of the result go on. */
  readonly hangUp: () => void
}
