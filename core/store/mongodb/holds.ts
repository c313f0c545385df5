import { StoreUnavailable, type HoldRequest, type HoldResult, type Shortage } from '../types.js'
import { dayNumber, wholeNotNegative } from '../rules.js'
import { capsField, dayOf, dayReset, haveRoom, requestedCaps, takeFromCaps } from './caps.js'
import { settling, daysOf, type End } from './settle.js'
import { pause, TRIES } from './deadline.js'
import { MOST_UNPUBLISHED } from './publishing.js'
import { fieldName, op, type Operator, type Plain } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument, HoldField } from './documents.js'
import { balanceOf, MONEY } from './journal.js'

/** The fields read to find out why a hold was refused. */
const REFUSAL_FIELDS = { ...MONEY, disabled: 1, auth: 1, open: 1, ver: 1, holds: 1, caps: 1, stored: 1, 'out.ref': 1 } as const

/** What a try assumes about the account; the next try corrects it from what was read. */
interface Guess {
  /** The day whose caps the hold takes from. */
  readonly day: number
  /** The account was published for this hold. */
  readonly published: boolean
}

type Next = { readonly answer: HoldResult } | { readonly retry: Guess; readonly moved: boolean }

/** The hold command: one conditional update; when it matches nothing, one read finds the reason. */
export function holds(deps: MongoDeps) {
  const { accounts, entries } = deps.tables

  const place = async (request: HoldRequest, guess: Guess): Promise<HoldResult | null> => {
    const { account, hold: id, amount } = request
    const hold = holdOf(request, guess.day)
    const filter: Record<string, Plain | Operator> = {
      _id: account,
      avail: op({ $gte: amount }),
      open: op({ $lt: request.maxOpen }),
      auth: request.auth,
      disabled: false,
      [`holds.${id}`]: op({ $exists: false }),
      'out.ref': op({ $ne: id }),
      [`out.${MOST_UNPUBLISHED - 1}`]: op({ $exists: false }),
      ...(request.storedBelow === undefined ? {} : { stored: op({ $lt: request.storedBelow }) }),
    }
    const inc: Record<string, number> = { avail: 0 - amount, held: amount, open: 1, ver: 1 }
    takeFromCaps(requestedCaps(request), { amount, day: guess.day }, filter, inc)
    const update = { $inc: inc, $set: { [`holds.${id}`]: hold }, $min: { dl: hold.dl } }
    const placed = await accounts.change(filter, update, { ...MONEY, seq: 1, done: 1 })
    if (placed === null) return null
    deps.holds.made(account, id, hold)
    deps.publishing.publishIfBehind(request.owner, account, placed)
    return { ok: true, ...balanceOf(placed) }
  }

  /** Releases the account's holds past their deadline, so that calls of a crashed gateway cause no false refusal. */
  const sweepOwn = async (account: AccountDocument, request: HoldRequest): Promise<boolean> => {
    const expired = Object.entries(account.holds).filter(([, hold]) => hold.dl < request.now)
    if (expired.length === 0) return false
    const end: End = { kind: 'release', amount: 0, owner: request.owner, note: 'deadline passed', facts: null, now: request.now }
    const { filter, update } = settling(request.account, new Map(expired), end, daysOf(account.caps))
    await accounts.update(filter, update)
    return true
  }

  /** The first hold of a day resets the daily caps; a concurrent one changes nothing. */
  const turnDay = async (account: AccountDocument, request: HoldRequest, day: number): Promise<void> => {
    const set = dayReset(account.caps, requestedCaps(request), day)
    if (set !== null) await accounts.update({ _id: request.account, ver: account.ver }, { $set: set, $inc: { ver: 1 } })
  }

  const isUsed = async (account: AccountDocument, request: HoldRequest): Promise<boolean> => {
    if (account.holds[request.hold] !== undefined || account.out.some((entry) => entry.ref === request.hold)) return true
    return (
      deps.holds.used(request.account, request.hold) &&
      (await entries.one({ acct: request.account, ref: request.hold }, { seq: 1 })) !== null
    )
  }

  const next = async (request: HoldRequest, guess: Guess): Promise<Next> => {
    const account = await accounts.one({ _id: request.account }, REFUSAL_FIELDS)
    if (account === null) return { answer: { ok: false, why: 'absent' } }
    if (account.disabled) return { answer: { ok: false, why: 'disabled' } }
    if (account.auth !== request.auth) return { answer: { ok: false, why: 'stale-auth' } }
    if (await isUsed(account, request)) return { answer: { ok: false, why: 'duplicate' } }
    const day = dayOf(account.caps, requestedCaps(request), request.now)
    const why = shortage(account, request, day)
    if (why !== null) {
      if (await sweepOwn(account, request)) return { retry: guess, moved: false }
      return { answer: why === 'insufficient' ? { ok: false, why, ...balanceOf(account) } : { ok: false, why } }
    }
    const full = account.out.length >= MOST_UNPUBLISHED
    if (full) await makeRoom(account, guess)
    await turnDay(account, request, day)
    return { retry: { day, published: guess.published || full }, moved: !full && guess.day === day }
  }

  const makeRoom = async (account: AccountDocument, guess: Guess): Promise<void> => {
    if (guess.published)
      throw new StoreUnavailable(`the account has ${account.out.length} entries that are not published yet`, { sent: false })
    await deps.publisher.publish([account._id])
  }

  return {
    /** The latest day begun on a cap counts, so that gateways with different clocks reset it once at midnight. */
    hold: async (order: HoldRequest): Promise<HoldResult> => {
      const shift = deps.clock.shift(order.now)
      const request = { ...order, now: order.now + shift, deadline: order.deadline + shift }
      deps.publisher.aside.refuse(request.account)
      wholeNotNegative(request.amount, 'amount of a hold')
      fieldName(request.hold, 'the id of a hold')
      requestedCaps(request)
      let guess: Guess = { day: dayNumber(request.now), published: false }
      const usedHere = deps.holds.used(request.account, request.hold)
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const placed = usedHere && attempt === 0 ? null : await place(request, guess)
        if (placed !== null) return placed
        const step = await next(request, guess)
        if ('answer' in step) return step.answer
        if (step.moved || attempt > 0) await pause(attempt)
        guess = step.retry
      }
      throw new StoreUnavailable(`the account changed under each of ${TRIES} tries to hold`)
    },
  }
}

function holdOf(request: HoldRequest, day: number): HoldField {
  const { amount, deadline, owner, key, capped, now, capability, call } = request
  return {
    amt: amount,
    dl: deadline,
    own: owner,
    key,
    cap: capped ? day : null,
    ...(capped ? capsField(key, request.caps) : {}),
    at: now,
    capability,
    call: call ?? null,
  }
}

function shortage(account: AccountDocument, request: HoldRequest, day: number): Shortage | null {
  if (account.open >= request.maxOpen) return 'too-many-open'
  if (!haveRoom(account.caps, requestedCaps(request), { amount: request.amount, day })) return 'capped'
  if (account.avail < request.amount) return 'insufficient'
  return account.stored >= (request.storedBelow ?? Infinity) ? 'full' : null
}
