import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { systemClock } from '../../../core/clock.js'
import { Authenticator } from '../../../core/keys/authenticate.js'
import { hashKey, makeKey } from '../../../core/keys/layout.js'
import type { Store } from '../../../core/store/port.js'
import { keyOf, temporaryStore } from '../../support/store.js'

const ROUNDS = 5_000
/** Two groups of the same times differ by more than this, in standard errors, about once in 30,000 runs. */
const CHANCE = 4.2

/** Admits everybody: how often an address may fail is not what is measured. */
const OPEN = { admit: () => undefined, refuseBlocked: () => undefined, failed: () => undefined, worked: () => undefined }

/** Times of two things done in turn, so that whatever else the machine does falls on both alike. */
async function race(
  first: (round: number) => Promise<unknown>,
  second: (round: number) => Promise<unknown>,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const begin = performance.now()
      await (which === 0 ? first : second)(round)
      times[which].push(performance.now() - begin)
    }
  }
  return times
}

/** Welch's t of two groups without their slowest tenth, which is the garbage collector's and the machine's. */
function welch(a: readonly number[], b: readonly number[]): number {
  const [one, other] = [a, b].map((group) => {
    const kept = group.toSorted((x, y) => x - y).slice(0, Math.floor(group.length * 0.9))
    const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length
    return { mean, error: kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1) / kept.length }
  })
  if (one === undefined || other === undefined) throw new Error('two groups are compared')
  return (one.mean - other.mean) / Math.sqrt(one.error + other.error)
}

describe('T-06 the time of a refusal tells nothing', function () {
  this.timeout(120_000)
  let store: Store
  let end: () => Promise<void>
  const known = makeKey()

  before(async () => {
    ;({ store, end } = await temporaryStore({ thread: 'same' }))
    await store.accounts.create({ id: 'acc', name: 'First Last', now: 1 })
    await store.keys.create(keyOf({ hash: hashKey(known) }))
    await store.keys.revoke('acc', 'key_1', 2)
  })
  after(() => end())

  /** A key whose hash begins like that of the known one, which an index would walk further for. */
  const alike = (digits: number): string => {
    const wanted = hashKey(known).slice(0, digits)
    for (;;) {
      const key = makeKey()
      if (hashKey(key).startsWith(wanted)) return key
    }
  }

  it('of a revoked key, and of an unknown one: each asked as if for the first time', async () => {
    const revoked = async (): Promise<void> => {
      const authenticator = new Authenticator(store.keys, systemClock, OPEN)
      await authenticator.authenticate(`Bearer ${known}`, '192.0.2.1', 'read').catch(() => undefined)
    }
    const stranger = makeKey()
    const unknown = async (): Promise<void> => {
      const authenticator = new Authenticator(store.keys, systemClock, OPEN)
      await authenticator.authenticate(`Bearer ${stranger}`, '192.0.2.1', 'read').catch(() => undefined)
    }
    await race(revoked, unknown)
    const [a, b] = await race(revoked, unknown)
    // The row of a revoked key is read and made into an object; that costs some microseconds and is no secret: whoever asks once held it.
    const gap = Math.abs(median(a) - median(b))
    expect(gap, 'ms between the medians').to.be.lessThan(0.1)
  })

  it('of an unknown key whose hash begins like a known one, and of one whose hash does not', async () => {
    const near = alike(3)
    const far = makeKey()
    const ask = (key: string) => async (): Promise<void> => {
      const authenticator = new Authenticator(store.keys, systemClock, OPEN)
      await authenticator.authenticate(`Bearer ${key}`, '192.0.2.1', 'read').catch(() => undefined)
    }
    await race(ask(near), ask(far))
    const tries: number[] = []
    // One run in many is off by chance; three in a row are not.
    for (let run = 0; run < 3 && tries.every((t) => Math.abs(t) > CHANCE); run++) {
      const [a, b] = await race(ask(near), ask(far))
      tries.push(welch(a, b))
    }
    expect(
      tries.some((t) => Math.abs(t) <= CHANCE),
      `t ${tries.map((t) => t.toFixed(1)).join(', ')}`,
    ).to.equal(true)
  })

  it('and the measurement finds a comparison that stops at the first difference', async () => {
    const secret = createHash('sha512').update('secret').digest('hex').repeat(8)
    const leaky = (guess: string) => (): Promise<boolean> => {
      for (let at = 0; at < secret.length; at++) if (secret.charCodeAt(at) !== guess.charCodeAt(at)) return Promise.resolve(false)
      return Promise.resolve(true)
    }
    const near = leaky(`${secret.slice(0, -1)}x`)
    const far = leaky(`x${secret.slice(1)}`)
    await race(near, far)
    const [a, b] = await race(near, far)
    expect(welch(a, b)).to.be.greaterThan(CHANCE)
  })
})

function median(times: readonly number[]): number {
  return times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)] ?? 0
}
