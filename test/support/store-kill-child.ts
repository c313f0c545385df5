import { writeSync } from 'node:fs'
import { ulid } from '../../core/runtime/id.js'
import { openStore } from '../../core/store/open.js'
import { facts, releaseOf } from './store.js'

/** Descriptor of the log: what is written there before the kill is what clients have seen. */
const LOG = 3

/** A gateway of 16 clients that work until they are killed, and say on descriptor 3 what was acknowledged to them. */
async function work(setting: string, owner: string): Promise<void> {
  const store = await openStore(setting, '/', { thread: 'worker' })
  const say = (event: string, id: string) => writeSync(LOG, `${event} ${id}\n`)
  let written: string[] = []

  const flush = async () => {
    const batch = written
    written = []
    if (batch.length > 0) {
      await store.ledger.delivered(batch.map((ref) => ({ account: 'acc', ref })))
      for (const id of batch) say('delivered', id)
    }
    setTimeout(() => void flush(), 10)
  }

  const client = async (number: number) => {
    for (let turn = number; ; turn++) {
      const now = Date.now()
      const hold = ulid(now)
      const capped = turn % 4 === 0
      const key = capped ? 'key_capped' : 'key_1'
      const place = { account: 'acc', hold, amount: 1000, deadline: now + 60_000, owner, auth: 0, key, capped }
      const held = await store.ledger.hold({ ...place, capability: 'search.web', maxOpen: 64, now })
      if (!held.ok) throw new Error(`a hold was refused: ${held.why}`)
      say('held', hold)
      if (turn % 5 === 0) {
        await store.ledger.release(releaseOf(hold, { owner, now }))
        say('released', hold)
        continue
      }
      await store.ledger.charge({ account: 'acc', hold, amount: 700, owner, facts: facts({ request_id: hold }), now })
      say('charged', hold)
      if (turn % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
      say('answered', hold)
      written.push(hold)
    }
  }

  void flush()
  say('started', owner)
  await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)))
}

const [setting, owner] = process.argv.slice(2)
if (setting === undefined || owner === undefined) throw new Error('usage: SETTING OWNER')
await work(setting, owner)
