import { gunzip, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { Problem } from '../../problems/problem.js'
import type { KeptFiles, ReadTerms } from '../../files/blobs.js'
import type { PendingReversals } from '../../credits/pending-reversals.js'
import {
  StoreUnavailable,
  type ClaimRequest,
  type ClaimResult,
  type Facts,
  type IdempotencyStore,
  type KeptResponse,
  type Milli,
} from '../../store/types.js'
import { keyHash } from './fingerprint.js'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

const KEPT_MS = 24 * 3_600_000
/** A lock lasts this much longer than the capability's time limit, in milliseconds. */
const LOCK_GRACE_MS = 30_000
const INLINE_BYTES = 256 * 1024
const ZIP_FROM_BYTES = 1024

/** A key that this attempt owns. */
export interface Claim {
  readonly account: string
  readonly key: string
  readonly attempt: number
  readonly hold: string
  /** The hold of an attempt that was abandoned, to be released. */
  readonly abandoned: string | null
}

/** An earlier answer under the same key. */
export interface Replay {
  readonly hold: string
  readonly status: number
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly amount: Milli
  readonly facts: Facts
}

interface ClaimTerms {
  readonly account: string
  /** The header's value. */
  readonly key: string
  readonly fingerprint: string
  readonly hold: string
  readonly limitMs: number
  readonly once: boolean
  /** Cancels the reading of a kept answer. */
  readonly cancel: Cancel
  /** Memory for the kept answer, which is compressed and may be many times larger. */
  readonly room?: ReadTerms['room']
}

interface IdempotencyOptions {
  readonly instance: string
  readonly files: KeptFiles
  readonly reversals: Pick<PendingReversals, 'addClaim'>
}

/** A claim is retried only when the first attempt failed within this time, in milliseconds. */
const AGAIN_WITHIN_MS = 300

/** Stores answers under the caller's Idempotency-Key, so that a repeated request is answered without a second call. */
export class IdempotencyService {
  readonly #store: IdempotencyStore
  readonly #files: KeptFiles
  readonly #clock: Clock
  readonly #instance: string
  readonly #reversals: Pick<PendingReversals, 'addClaim'>
  /** Keys whose calls run in this process, with the end of their locks on the monotonic clock. */
  readonly #running = new Map<string, { readonly hold: string; readonly fingerprint: string; readonly until: number }>()

  constructor(store: IdempotencyStore, clock: Clock, { instance, files, reversals }: IdempotencyOptions) {
    this.#store = store
    this.#clock = clock
    this.#instance = instance
    this.#files = files
    this.#reversals = reversals
  }

  /**
   * Claims the key, or returns the kept answer. Throws 409 while its call runs or has an unknown outcome, 422 for
   * another body, StoreUnavailable when the outcome of the claim is unknown: the key is then freed in the background.
   */
  async claim(order: ClaimTerms): Promise<{ claim: Claim } | { replay: Replay }> {
    const now = this.#clock.now()
    const key = keyHash(order.key)
    const { account, fingerprint, hold, once } = order
    const lockMs = order.limitMs + LOCK_GRACE_MS
    const lockUntil = now + lockMs
    const own = this.#running.get(runningKey(account, key))
    const leftMs = own === undefined ? 0 : own.until - this.#clock.monotonic()
    // The store uses the wall clock: set forward, it would treat the lock of a call running here as expired.
    if (own !== undefined && leftMs > 0) {
      if (own.fingerprint !== fingerprint) throw reused()
      throw stillRunning(leftMs)
    }
    const result = await this.#claim({
      account,
      key,
      fingerprint,
      hold,
      once,
      owner: this.#instance,
      lockUntil,
      expires: now + KEPT_MS,
      now,
    })
    if (result.state === 'claimed') {
      this.#running.set(runningKey(account, key), { hold, fingerprint, until: this.#clock.monotonic() + lockMs })
      return { claim: { account, key, attempt: result.attempt, hold, abandoned: result.abandoned } }
    }
    if (result.fingerprint !== fingerprint) throw reused()
    switch (result.state) {
      case 'running':
        throw stillRunning(result.lockUntil - now)
      case 'final':
        throw new Problem(
          'idempotency-conflict',
          'The outcome of the call with this Idempotency-Key is unknown, and it must not be repeated. Use a new key if you mean to act again.',
        )
      case 'kept':
        return { replay: await this.#open(result.hold, result.response, { cancel: order.cancel, room: order.room ?? null }) }
    }
  }

  /** Called when the call that owns the key has ended, with any outcome. */
  ended({ account, key, hold }: Pick<Claim, 'account' | 'key' | 'hold'>): void {
    const name = runningKey(account, key)
    if (this.#running.get(name)?.hold === hold) this.#running.delete(name)
  }

  /** Repeats a claim with the same hold when its reply was lost; first frees it in a store that cannot recognise it. */
  async #claim(request: ClaimRequest): Promise<ClaimResult> {
    const began = this.#clock.monotonic()
    let lost = false
    for (let round = 0; ; round++) {
      try {
        const result = await this.#store.claim(request)
        const own = lost && result.state === 'running' && (await this.#store.free({ ...request, attempt: 1 }))
        if (!own) return result
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        lost ||= error.sent
        if (round === 0 && this.#clock.monotonic() - began <= AGAIN_WITHIN_MS) continue
        if (lost) this.#reversals.addClaim(request)
        throw error
      }
    }
  }

  /**
   * Stores the answer and returns its size in bytes; null when this attempt no longer owns the key and must not charge.
   * With `by-charge` the charge counts those bytes. Throws Stopped when the call ends before a large answer is written.
   */
  async keep(
    claim: Claim,
    answer: { status: number; body: Uint8Array; headers: Readonly<Record<string, string>>; amount: Milli; facts: Facts },
    { cancel, counted = 'now' }: { readonly cancel: Cancel; readonly counted?: 'now' | 'by-charge' },
  ): Promise<{ readonly bytes: number } | null> {
    const gz = answer.body.length >= ZIP_FROM_BYTES
    const packed: Uint8Array = gz ? await zip(answer.body) : answer.body
    const large = packed.length > INLINE_BYTES
    const file = large ? await this.#files.write(claim.account, packed, this.#clock.now() + KEPT_MS, cancel) : null
    const response: KeptResponse = { ...answer, body: large ? new Uint8Array() : packed, gzip: gz, file }
    const isKept = await this.#store.keep({
      account: claim.account,
      key: claim.key,
      attempt: claim.attempt,
      hold: claim.hold,
      response,
      counted,
      now: this.#clock.now(),
    })
    return isKept ? { bytes: response.body.byteLength } : null
  }

  /** Frees the key, so that the same request may be repeated. */
  async free(claim: Claim): Promise<void> {
    await this.#store.free(claim)
  }

  /** Marks the outcome of the key as unknown. */
  async finalise(claim: Claim): Promise<void> {
    await this.#store.finalise(claim)
  }

  async #open(hold: string, kept: KeptResponse, { cancel, room = null }: ReadTerms): Promise<Replay> {
    const packed = kept.file === null ? kept.body : await this.#files.read(kept.file, { ...(cancel && { cancel }), room })
    if (kept.gzip) room?.reserve(unzippedSize(packed))
    const body: Uint8Array = kept.gzip ? await unzip(packed) : packed
    return { hold, status: kept.status, body, headers: kept.headers, amount: kept.amount, facts: kept.facts }
  }
}

/** Uncompressed size (RFC 1952, ISIZE: the last four bytes). */
function unzippedSize(packed: Uint8Array): number {
  return packed.length < 4 ? 0 : new DataView(packed.buffer, packed.byteOffset, packed.length).getUint32(packed.length - 4, true)
}

function runningKey(account: string, key: string): string {
  return `${account}\n${key}`
}

function reused(): Problem {
  const msg = 'This Idempotency-Key was used before with another request.'
  return new Problem('validation-failed', msg, {
    validation: [{ loc: ['header', 'idempotency-key'], msg, type: 'idempotency_key_reuse' }],
    action: 'Send the same request as before, or a new Idempotency-Key with this one.',
  })
}

function stillRunning(leftMs: number): Problem {
  return new Problem('idempotency-conflict', 'A call with this Idempotency-Key is still running.', {
    retriable: true,
    retryAfterSeconds: Math.min(5, Math.max(1, Math.ceil(leftMs / 1000))),
  })
}
