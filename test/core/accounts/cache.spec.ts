import { expect } from 'chai'
import { Authenticator, type LoginGuard } from '../../../core/accounts/authenticate.js'
import { hashKey, makeKey } from '../../../core/accounts/layout.js'
import { Problem } from '../../../core/problems/problem.js'
import type { AccountRecord, KeyRecord, KeyStore } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { keyOf } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

const open: LoginGuard = { admit: () => undefined, refuseBlocked: () => undefined, failed: () => undefined, worked: () => undefined }
const HOUR = 3_600_000

describe('the cache of keys', () => {
  const key = makeKey()
  function parts(change: Partial<KeyRecord> = {}) {
    const clock = new HandClock()
    clock.advance(1_000)
    const state = { reads: 0, disabled: false, key: keyOf({ hash: hashKey(key), ...change }) }
    const store = {
      find: () => {
        state.reads++
        const account = { id: 'acc', disabled: state.disabled } as AccountRecord
        return Promise.resolve({ key: state.key, account })
      },
    } as unknown as KeyStore
    const authenticator = new Authenticator(store, clock, open)
    const use = (how: 'charged' | 'read') => authenticator.authenticate(`Bearer ${key}`, '192.0.2.1', how)
    return { clock, state, authenticator, use }
  }

  it('keeps a key for charged calls for a day, because the hold checks it by the epoch, and for reads for a second', async () => {
    const { clock, state, use } = parts()
    await use('charged')
    for (let hour = 0; hour < 23; hour++) {
      clock.advance(HOUR)
      await use('charged')
    }
    expect(state.reads).to.equal(1)
    await use('read')
    expect(state.reads).to.equal(2)
    clock.advance(999)
    await use('read')
    expect(state.reads).to.equal(2)
    clock.advance(24 * HOUR)
    await use('charged')
    expect(state.reads).to.equal(3)
  })

  it('T-10 checks the expiry with every call, also when the key is read again', async () => {
    const { clock, state, authenticator, use } = parts()
    const caller = await use('charged')
    // As another replica sees it after a rotation with overlap: the epoch moved, the end is known only in the store.
    state.key = { ...state.key, expires_at: clock.now() + HOUR }
    expect((await authenticator.refresh(caller)).key.expires_at).to.equal(clock.now() + HOUR)
    clock.advance(HOUR)
    for (const work of [use('charged'), use('read'), authenticator.refresh(caller)]) {
      const error = await errorOf(work)
      expect(error instanceof Problem && error.slug).to.equal('invalid-api-key')
    }
  })

  it('reads a disabled account every second, because no hold would show that it is enabled again', async () => {
    const { clock, state, use } = parts()
    state.disabled = true
    expect((await use('charged')).account.disabled).to.equal(true)
    state.disabled = false
    clock.advance(999)
    expect((await use('charged')).account.disabled).to.equal(true)
    clock.advance(1)
    expect((await use('charged')).account.disabled).to.equal(false)
  })

  it('T-05 looks an unknown key up once, however often it is tried, and reports it to the other replicas once', async () => {
    const { clock, state } = parts()
    const added: string[] = []
    const unknownKeys = { left: () => Promise.resolve(0), add: (hash: string) => void added.push(hash) }
    const store = { find: () => (state.reads++, Promise.resolve(null)) } as unknown as KeyStore
    const authenticator = new Authenticator(store, clock, open, unknownKeys)
    const guess = async (): Promise<void> => {
      const error = await errorOf(authenticator.authenticate(`Bearer ${key}`, '192.0.2.1', 'charged'))
      expect(error instanceof Problem && error.slug).to.equal('invalid-api-key')
    }
    for (let count = 0; count < 5; count++) await guess()
    expect([state.reads, added]).to.deep.equal([1, [hashKey(key)]])
  })
})
