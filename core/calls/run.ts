import { createHash } from 'node:crypto'
import type { Caller } from '../accounts/caller.js'
import type { Hold } from '../credits/ledger-service.js'
import { CallState, providersTried } from '../dispatch/call.js'
import { assertServed, type CallEnvironment } from '../dispatch/ports.js'
import { deepFreeze, perform } from '../dispatch/perform.js'
import { problemFrom } from '../dispatch/from-error.js'
import { patienceOf, SMALL_BYTES } from '../limits/slots.js'
import { Stopped } from '../problems/errors.js'
import { Problem } from '../problems/problem.js'
import { Cancel } from '../runtime/cancel.js'
import type { OnPosition } from '../runtime/semaphore.js'
import { type CallerNames, type Capability, Fault, type WorkClass } from '../sdk/index.js'
import { type Facts, type Milli, StoreUnavailable } from '../store/types.js'
import { type Account, failed, succeeded } from './envelope.js'
import type { Claim } from './idempotency/service.js'
import type { CallOrder, CallOutcome, CallServices, RunningCall } from './order.js'
import { replayOutcome } from './replay.js'

/** Starts a paid call: claim, hold, work, keep, charge; every failure in the caller's favour. */
export function startCall(services: CallServices, order: CallOrder): RunningCall {
  const run = new Run(services, order)
  return { outcome: run.go(), hangUp: () => run.hangUp() }
}

/** The steps of one call in the order of the ledger's rules, and their reversal on failure. */
class Run {
  readonly #services: CallServices
  readonly #order: CallOrder
  readonly #state: CallState
  readonly #price: Milli
  readonly #limitMs: number
  readonly #stopDeadline: () => void
  readonly #held: CallEnvironment
  readonly #leaveRunning: () => void
  #providerUsed: string | null = null
  #balance: Milli
  #gone = false
  /** The call has its slot, and its work has begun. */
  #began = false

  constructor(services: CallServices, order: CallOrder) {
    const { clock } = services
    this.#services = services
    this.#order = order
    deepFreeze(order.input)
    this.#limitMs = order.loaded.timeoutMs(order.input)
    this.#price = order.loaded.quote(order.input)
    this.#balance = services.balances.of(order.caller)
    const patienceMs = patienceOf(order.loaded.capability.work ?? 'light')
    const cancel = new Cancel(clock, clock.monotonic() + this.#limitMs, order.caller.account.id, patienceMs)
    this.#stopDeadline = clock.after(this.#limitMs, () => cancel.cancel('deadline'))
    const { account, key } = order.caller
    const caller = (): CallerNames => callerNames(services.instance, order.caller)
    this.#state = new CallState({ requestId: order.requestId, account: account.id, key: key.caps.at(-1) ?? key.id, cancel, caller })
    this.#state.onProgress = order.onProgress
    this.#held = services.environments.begin()
    this.#leaveRunning = services.running.add(cancel)
  }

  hangUp(): void {
    this.#gone = true
    const { actedOnce, partialResultSent } = this.#state
    if (this.#endsWithCaller && !actedOnce && !partialResultSent) this.#state.cancel.cancel('client-gone')
  }

  /** False under an Idempotency-Key, with which the caller may repeat the request, unless it preferred otherwise. */
  get #endsWithCaller(): boolean {
    return this.#order.idempotency?.cancelOnDisconnect ?? true
  }

  get #leftWork(): boolean {
    return this.#gone && this.#endsWithCaller
  }

  async go(): Promise<CallOutcome> {
    const { loaded, input, caller, idempotency } = this.#order
    const { slots, ledger } = this.#services
    let leave: () => void = () => undefined
    let claim: Claim | null = null
    let hold: Hold | null = null
    try {
      assertServed(this.#held.environment, loaded, input)
      const work = loaded.capability.work ?? 'light'
      slots.assertOpen(work, this.#state.cancel)
      let id: string | undefined
      if (idempotency !== null) {
        id = ledger.newHold()
        const result = await this.#claim(id)
        if ('replay' in result) return await replayOutcome(this.#services, this.#order, result.replay)
        claim = result.claim
      }
      hold = await ledger.hold(caller, this.#holdOrder(id), this.#order.refresh)
      this.#noteBalance(hold.balance)
      if (work !== 'light') leave = await slots.enter(work, this.#state.cancel, this.#onPosition(work), () => this.#endSmall())
      this.#order.onAdmitted?.()
      this.#began = true
      return await this.#work(hold, claim)
    } catch (error) {
      return await this.#fail(error, hold, claim)
    } finally {
      leave()
      this.#stopDeadline()
      if (claim !== null) this.#services.idempotency.ended(claim)
      this.#state.end(this.#held.environment.log)
      this.#held.end()
      this.#leaveRunning()
    }
  }

  /** Sends the position in the queue to a caller that requested events; the stream begins with the first. */
  #onPosition(work: WorkClass): OnPosition | undefined {
    const { onProgress, onAdmitted } = this.#order
    if (onProgress === null) return undefined
    let total = 0
    return (position) => {
      onAdmitted?.()
      total = Math.max(total, position)
      onProgress({ step: 'queued', detail: `position ${position} in the queue for ${work} work`, done: total - position, total })
    }
  }

  /** Preempts a call on small files that holds its slot too long, without external effect. Returns whether it did. */
  #endSmall(): boolean {
    const { sourceBytes, actedOnce, cancel } = this.#state
    if (actedOnce || sourceBytes === 0 || sourceBytes >= SMALL_BYTES) return false
    this.#state.costly = true
    cancel.cancel('preempted')
    return true
  }

  #holdOrder(hold: string | undefined) {
    const { loaded, product, requestId } = this.#order
    const { id, path } = loaded.capability
    const call = { endpoint: path, mode: modeOf(loaded.capability, this.#order.input), product, request_id: requestId }
    const onRefused = (balance: Milli): void => this.#noteBalance(balance)
    const kept = hold === undefined ? {} : { hold, storedBelow: this.#services.storageQuota }
    return { amount: this.#price, capability: id, limitMs: this.#limitMs, call, onRefused, ...kept }
  }

  async #claim(hold: string) {
    const { idempotency, caller, loaded } = this.#order
    if (idempotency === null) throw new TypeError('no Idempotency-Key to claim')
    const { key, fingerprint } = idempotency
    const once = loaded.capability.once === true
    const result = await this.#services.idempotency.claim({
      account: caller.account.id,
      key,
      fingerprint,
      hold,
      limitMs: this.#limitMs,
      once,
      room: this.#order.room ?? null,
      cancel: this.#state.cancel,
    })
    if ('claim' in result && result.claim.abandoned !== null)
      await this.#services.ledger.release(this.#holdFor(result.claim.abandoned), 'taken over by a repeated request', null)
    return result
  }

  #holdFor(hold: string): Hold {
    return { account: this.#order.caller.account.id, hold, amount: this.#price, balance: this.#balance, held: 0, available: 0 }
  }

  async #work(hold: Hold, claim: Claim | null): Promise<CallOutcome> {
    const { ledger, idempotency, deliveries, refunds, answerLimit } = this.#services
    const { data, providerUsed } = await perform(this.#held.environment, this.#order.loaded, this.#order.input, this.#state)
    this.#providerUsed = providerUsed
    // An external effect and a partial result that was sent are charged even if the caller has disconnected.
    const isCommitted = this.#order.loaded.capability.once === true || this.#state.partialResultSent
    if (this.#gone && !isCommitted && this.#endsWithCaller) throw new Stopped('client-gone')
    const isFinal = isCommitted || claim !== null
    const price = this.#order.loaded.quote(this.#order.input, data)
    let reserved = 0
    const reserve = (bytes: number): void => {
      if (bytes > answerLimit)
        throw new Problem('answer-too-large', `The answer is larger than limits.answer allows (${answerLimit} bytes).`)
      // Work with an external effect must not fail for lack of memory: its answer is accounted for when it is written.
      if (!this.#state.actedOnce) this.#order.room?.reserve(bytes - reserved)
      reserved = bytes
    }
    const encoded = this.#services.encoder.encode(succeeded(data, price, this.#account(hold.balance - price)), hold.account, reserve)
    const body = typeof encoded === 'string' ? encoded : await encoded
    reserve(Buffer.byteLength(body))
    const facts = this.#facts(200, null)
    const answer = { status: 200, body: typeof body === 'string' ? Buffer.from(body) : body, headers: {}, amount: price, facts }
    const kept = claim === null ? null : await idempotency.keep(claim, answer, { cancel: this.#state.cancel, counted: 'by-charge' })
    if (claim !== null && kept === null)
      throw new Problem('idempotency-conflict', 'Another attempt with this Idempotency-Key has taken over.', {
        retriable: true,
        retryAfterSeconds: 2,
      })
    const delivery = isFinal ? 'none' : 'awaited'
    const after = await ledger.charge(hold, price, facts, { delivery, ...(kept === null ? {} : { keptBytes: kept.bytes }) })
    this.#noteBalance(after.balance)
    return {
      status: 200,
      body,
      creditsUsed: price,
      charged: price,
      balance: after.balance,
      replayed: false,
      recorded: true,
      costly: false,
      problem: null,
      slug: '',
      provider: providerUsed,
      isFinal,
      delivered: () => {
        if (!isFinal) deliveries.mark(hold.account, hold.hold)
      },
      lost: async () => {
        if (isFinal) return
        this.#countUnpaid()
        await refunds.track(ledger.refund(hold, 'the answer could not be delivered'))
      },
    }
  }

  /** Releases the hold before the error is answered, and settles the Idempotency-Key. */
  async #fail(error: unknown, hold: Hold | null, claim: Claim | null): Promise<CallOutcome> {
    const ambiguous = this.#isAmbiguous(error)
    this.#countUnpaid(error)
    let problem = callProblem(error, { ambiguous, via: this.#order.via })
    try {
      const reachable = hold === null || (await this.#release(hold, problem))
      if (claim !== null && reachable) await this.#settleKey(claim, problem, { ambiguous, worked: hold !== null })
    } catch (failure) {
      problem = problemFrom(failure)
    }
    const body = this.#failureBody(problem)
    return {
      status: problem.status,
      body,
      creditsUsed: 0,
      charged: 0,
      balance: this.#balance,
      replayed: false,
      recorded: hold !== null,
      costly: this.#isCostly(error),
      problem,
      ...failureOf(problem, { left: this.#leftWork, reported: this.#state.isReported(problem.options.cause) }),
      provider: null,
      isFinal: false,
      delivered: () => undefined,
      lost: () => Promise.resolve(),
    }
  }

  /** Counts unpaid vendor use of the account, except when the ledger is unavailable. */
  #countUnpaid(error?: unknown): void {
    if (error instanceof StoreUnavailable) return
    const account = this.#order.caller.account.id
    this.#state.vendorUse.unpaid((use) => this.#services.unpaid.count(account, use))
  }

  /** Whether a failed call counts as an abort: a limit of time or memory, its deadline, or a partial result sent. */
  #isCostly(error: unknown): boolean {
    const ranOut = this.#began && error instanceof Stopped && error.reason === 'deadline'
    return ranOut || this.#state.costly || this.#state.partialResultSent || (Fault.is(error) && error.costly)
  }

  /** False when the ledger is unavailable and the hold will be released later. */
  async #release(hold: Hold, problem: Problem): Promise<boolean> {
    const { ledger } = this.#services
    const facts = this.#leftWork ? this.#facts(CLIENT_CLOSED.status, CLIENT_CLOSED.slug) : this.#facts(problem.status, problem.slug)
    if (problem.slug === 'store-unavailable') return await ledger.abandon(hold, facts)
    await ledger.release(hold, problem.slug, facts)
    return true
  }

  /** Whether a failed call may have had an external effect: anything but a provider's definite refusal is ambiguous. */
  #isAmbiguous(error: unknown): boolean {
    if (this.#order.loaded.capability.once !== true || !this.#state.actedOnce) return false
    return Fault.is(error) ? error.ambiguous : true
  }

  /** Keeps a 422 of the work, unless inconclusive; marks an unknown outcome as final; otherwise frees the key. */
  async #settleKey(claim: Claim, problem: Problem, how: { ambiguous: boolean; worked: boolean }): Promise<void> {
    const { idempotency } = this.#services
    if (how.ambiguous) await idempotency.finalise(claim)
    else if (how.worked && problem.status === 422 && problem.options.inconclusive !== true) await this.#keepFailure(claim, problem)
    else if (problem.slug !== 'idempotency-conflict') await idempotency.free(claim)
  }

  async #keepFailure(claim: Claim, problem: Problem): Promise<void> {
    const answer = { status: 422, body: this.#failureBody(problem), headers: {}, amount: 0, facts: this.#facts(422, problem.slug) }
    try {
      await this.#services.idempotency.keep(claim, answer, { cancel: this.#state.cancel })
    } catch (error) {
      // An answer that cannot be kept must not block its key until the lock ends.
      await this.#services.idempotency.free(claim)
      throw error
    }
  }

  #failureBody(problem: Problem): Buffer {
    return Buffer.from(JSON.stringify(failed(problem, this.#account(this.#balance), this.#services.publicUrl())))
  }

  #account(balance: Milli): Account {
    const { attempts, notes, tokens } = this.#state
    return {
      requestId: this.#order.requestId,
      ms: this.#ms(),
      attempts,
      notes,
      usage: tokens.list,
      providerUsed: this.#providerUsed,
      modeUsed: modeOf(this.#order.loaded.capability, this.#order.input),
      balance,
    }
  }

  #facts(status: number, error: string | null): Facts {
    const { loaded, input, caller, requestId, product, via } = this.#order
    const facts = {
      endpoint: loaded.capability.path,
      capability: loaded.capability.id,
      mode: modeOf(loaded.capability, input),
      product,
      key_id: caller.key.id,
      request_id: requestId,
      status,
      ms: this.#ms(),
      provider_used: this.#providerUsed,
      providers_tried: providersTried(this.#state.attempts),
      error,
    }
    if (via === null && !this.#gone) return facts
    return { ...facts, ...(via === null ? {} : { via }), ...(this.#gone ? { aborted: true } : {}) }
  }

  #noteBalance(balance: Milli): void {
    this.#balance = balance
    this.#services.balances.note(this.#order.caller.account.id, balance)
  }

  #ms(): number {
    return Math.max(0, Math.round(this.#services.clock.monotonic() - this.#order.started))
  }
}

/** Status and slug in history, metrics and log for a call whose caller disconnected before it succeeded; never sent. */
const CLIENT_CLOSED = { status: 499, slug: 'client-closed' } as const

/** Slug and internal detail of a failed call for metrics and log, without the detail if the provider's line has it. */
function failureOf(
  { slug, options: { internal } }: Problem,
  { left, reported }: { readonly left: boolean; readonly reported: boolean },
): Pick<CallOutcome, 'slug' | 'internal'> {
  return { slug: left ? CLIENT_CLOSED.slug : slug, ...(internal === undefined || reported ? {} : { internal }) }
}

/**
 * The problem for the caller of a failed call: not retriable when the work may have been done (`ambiguous`), and with
 * locations under `params` when the capability was called by name (`via`).
 */
function callProblem(error: unknown, { ambiguous, via }: { readonly ambiguous: boolean; readonly via: string | null }): Problem {
  const problem = problemFrom(error)
  const { validation } = problem.options
  const options = {
    ...problem.options,
    ...(ambiguous ? { retriable: false, action: 'The outcome is unknown. Check whether it happened before sending it again.' } : {}),
    ...(validation === undefined || via === null
      ? {}
      : {
          validation: validation.map((item) =>
            item.loc[0] === 'body' ? { ...item, loc: ['body', 'params', ...item.loc.slice(1)] } : item,
          ),
        }),
  }
  return new Problem(problem.slug, problem.message, options)
}

/** Pseudonyms of a caller for plugins: they distinguish accounts and keys within this process (`instance`) only. */
export function callerNames(instance: string, { account, key }: Pick<Caller, 'account' | 'key'>): CallerNames {
  const name = (id: string): string => createHash('sha256').update(`${instance}/${id}`).digest('base64url').slice(0, 22)
  return { account: name(account.id), key: name(key.id) }
}

/** The value of the capability's mode field in an input; null where it has none. */
function modeOf({ mode = 'mode' }: Capability, input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const value: unknown = Reflect.get(input, mode)
  return typeof value === 'string' ? value : null
}
