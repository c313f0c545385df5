import { expect } from 'chai'
import { answerOf, type Cache } from '../../../core/sdk/index.js'
import type { Verdict } from './contract.js'
import { verdictOf } from './finding.js'
import { kept } from './kept.js'

type Shared = Map<string, Promise<unknown>>
interface Caller {
  readonly cache: Cache<Caller>
}

/** A client of a cache that keeps values forever unless they are cached for a moment, and loads once for concurrent callers. */
function callerOf(shared: Shared): Caller {
  const caller: Caller = {
    cache: {
      get: async (key, { seconds }, load) => {
        const name = JSON.stringify(key)
        const found = shared.get(name)
        if (found !== undefined) return answerOf(await found)
        const loading = load(caller)
        shared.set(name, loading)
        loading.catch(() => shared.delete(name))
        const value = await loading
        if (seconds <= 1) setImmediate(() => shared.delete(name))
        return value
      },
    },
  }
  return caller
}

const NOT_ASKED: Verdict = { ...verdictOf({ status: 'unknown', sub_status: 'timeout_exceeded' }), not_asked: true }

describe('emails.verify: what is kept', () => {
  const unknown = (sub_status: string): Verdict => verdictOf({ status: 'unknown', sub_status })

  it('what was answered while no mail server could be asked is asked anew', async () => {
    for (const [sub_status, wanted] of [
      ['timeout_exceeded', 2],
      ['failed_smtp_connection', 2],
      ['mail_server_did_not_respond', 2],
      ['greylisted', 1],
    ] as const) {
      const caller = callerOf(new Map())
      let loads = 0
      for (const _ of [1, 2]) {
        await kept('ada@acme.test', caller, () => {
          loads++
          return Promise.resolve(unknown(sub_status))
        })
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(loads, sub_status).to.equal(wanted)
    }
  })

  it('who joined a call that was turned away asks itself', async () => {
    const shared: Shared = new Map()
    const valid = verdictOf({ status: 'valid', sub_status: null })
    const turnedAway = kept('ada@acme.test', callerOf(shared), () => Promise.resolve(NOT_ASKED))
    const joined = kept('ada@acme.test', callerOf(shared), () => Promise.resolve(valid))
    expect(await turnedAway).to.include({ status: 'unknown', not_asked: true })
    expect(await joined).to.deep.equal(valid)
  })
})
