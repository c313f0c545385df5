import { expect } from 'chai'
import { crc32 } from 'node:zlib'
import { Authenticator, type LoginGuard } from '../../../core/accounts/authenticate.js'
import { hashKey, makeKey } from '../../../core/accounts/layout.js'
import type { KeyStore } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { furnish, keyOf, NOON, temporaryStore } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

const ADDRESS = '192.0.2.1'
/** Lets everything through: the limit on failed logins is another test's. */
const open: LoginGuard = { admit: () => undefined, refuseBlocked: () => undefined, failed: () => undefined, worked: () => undefined }

/** Mean without the slowest quarter, which is the machine's, and how sure it is (variance of the mean). */
function trimmed(samples: readonly number[]): { mean: number; variance: number } {
  const kept = [...samples].sort((a, b) => a - b).slice(0, Math.floor(samples.length * 0.75))
  const mean = kept.reduce((sum, sample) => sum + sample, 0) / kept.length
  return { mean, variance: kept.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / (kept.length - 1) / kept.length }
}

type Work = (round: number) => unknown

interface Difference {
  /** In units of its own uncertainty (Welch). */
  readonly t: number
  /** As a part of the first. */
  readonly part: number
}

function difference(first: readonly number[], second: readonly number[]): Difference {
  const [a, b] = [trimmed(first), trimmed(second)]
  return { t: (b.mean - a.mean) / Math.sqrt(a.variance + b.variance), part: (b.mean - a.mean) / a.mean }
}

/** Runs two kinds of work in turns, which one first changing by a fixed pattern, and gives the nanoseconds of each. */
async function interleaved(rounds: number, first: Work, second: Work): Promise<[number[], number[]]> {
  const samples: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    // Bits of a scrambled counter: no rhythm of the machine keeps step with them.
    const swapped = Math.imul(round, 0x9e3779b1) >>> 31 === 1
    for (const which of swapped ? ([1, 0] as const) : ([0, 1] as const)) {
      const started = process.hrtime.bigint()
      await (which === 0 ? first(round) : second(round))
      samples[which].push(Number(process.hrtime.bigint() - started))
    }
  }
  return samples
}

const ROUNDS = 2_000
/** Largest part by which two refusals may differ: of some 10 microseconds, which no network keeps apart. */
const BOUND = 0.1
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A well-formed key of the same first characters as another, its checksum right. */
function sibling(key: string, shared: number): string {
  const body = key.slice(0, shared) + makeKey().slice(shared, -6)
  let check = ''
  for (let rest = crc32(body); check.length < 6; rest = Math.floor(rest / 62)) check = (BASE62[rest % 62] ?? '') + check
  return body + check
}

/** The comparison nobody should write: it ends at the first character that differs, here after some 100 to 200 ns for each that does not. */
function leaky(given: string, kept: string): boolean {
  for (let at = 0; at < kept.length; at++) {
    if (given[at] !== kept[at]) return false
    for (let work = 0, seed = at; work < 150; work++) seed = Math.imul(seed ^ work, 0x9e3779b1)
  }
  return true
}

describe('the time it takes to refuse a key', function () {
  this.timeout(30_000)
  const live = makeKey()
  const revoked = Array.from({ length: ROUNDS }, () => makeKey())
  const unknown = Array.from({ length: ROUNDS }, () => makeKey())
  let keys: KeyStore
  let end: () => Promise<void>
  let authenticator: Authenticator
  before(async () => {
    const opened = await temporaryStore()
    ;({ end } = opened)
    await furnish(opened.store)
    keys = opened.store.keys
    await keys.create(keyOf({ id: 'live', hash: hashKey(live), prefix: live.slice(0, 12) }))
    for (const [index, key] of revoked.entries()) {
      await keys.create(keyOf({ id: `old_${index}`, hash: hashKey(key), prefix: key.slice(0, 12) }))
      await keys.revoke('acc', `old_${index}`, NOON)
    }
    authenticator = new Authenticator(keys, new HandClock(), open)
    // Code that has been compiled, and each key refused once: from then on it is remembered as unknown, whatever the store had of it.
    for (const key of [...unknown, ...revoked]) await refused(key)
  })
  after(async () => await end())
  beforeEach(async () => void (await authenticator.authenticate(`Bearer ${live}`, ADDRESS, 'charged')))
  const refused = (key: string): Promise<unknown> =>
    authenticator.authenticate(`Bearer ${key}`, ADDRESS, 'charged').then(
      () => expect.fail('the key was taken'),
      (error: unknown) => error,
    )
  /** Keys that share so many characters with the live one, made before they are timed, each handed out once. */
  const fresh = (shared: number): (() => string) => {
    const made = Array.from({ length: 3 * ROUNDS }, () => sibling(live, shared))
    return () => made.pop() ?? expect.fail('no key is left')
  }
  /** The smallest difference of three measurements: a machine that was busy in one of them is no leak. */
  const least = async (first: Work, second: Work): Promise<Difference> => {
    const all = [await measured(first, second), await measured(first, second), await measured(first, second)]
    return all.reduce((best, each) => (Math.abs(each.part) < Math.abs(best.part) ? each : best))
  }
  const measured = async (first: Work, second: Work): Promise<Difference> => difference(...(await interleaved(ROUNDS, first, second)))

  it('T-06 is that of an unknown key for a revoked one of the same length, once both were refused', async () => {
    const { part } = await least(
      (round) => refused(unknown[round] ?? ''),
      (round) => refused(revoked[round] ?? ''),
    )
    expect(Math.abs(part)).to.be.below(BOUND)
  })

  it('T-06 is that of an unknown key for one that begins like a live key, used for the first time', async () => {
    const [far, near] = [fresh(5), fresh(40)]
    const { part } = await least(
      () => refused(far()),
      () => refused(near()),
    )
    expect(Math.abs(part)).to.be.below(BOUND)
  })

  it('T-06 would be longer, and this measurement would show it, if keys were compared until they differ', async () => {
    const compared = async (key: string): Promise<unknown> => (leaky(key, live) ? null : await refused(key))
    const [far, near] = [fresh(5), fresh(40)]
    const { part, t } = await least(
      () => compared(far()),
      () => compared(near()),
    )
    expect(part).to.be.above(BOUND)
    expect(t).to.be.above(10)
  })

  it('T-06 says nothing of the key: the store is queried by digests, which share nothing when keys share all but their end', async () => {
    const queried: string[] = []
    const watching: KeyStore = { ...keys, find: (hash) => (queried.push(hash), Promise.resolve(null)) }
    const own = new Authenticator(watching, new HandClock(), open)
    const guesses = Array.from({ length: 200 }, () => sibling(live, 40))
    const texts = new Set<string>()
    for (const key of guesses) texts.add((await errorOf(own.authenticate(`Bearer ${key}`, ADDRESS, 'read'))).message)
    expect(queried).to.deep.equal(guesses.map(hashKey))
    const shared = queried.map((hash) => [...hash].findIndex((digit, at) => digit !== hashKey(live)[at]))
    expect(Math.max(...shared)).to.be.below(8)
    expect(texts.size, 'one text for all of them').to.equal(1)
  })
})
