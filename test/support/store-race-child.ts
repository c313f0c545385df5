import { createInterface } from 'node:readline'
import { ulid } from '../../core/runtime/id.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { holdOf } from './store.js'

/** One gateway of the race: for each line `ACCOUNT CALLS` so many holds at once, answered by the counts of their outcomes. */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: FILE')
const store = await openSqliteStore({ file, thread: 'worker', busyMs: 30_000 })
console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const [account = '', calls = '0'] = line.split(' ')
  const request = () => holdOf({ account, hold: ulid(Date.now()), maxOpen: 100_000 })
  const results = await Promise.all(Array.from({ length: Number(calls) }, () => store.ledger.hold(request())))
  const counts: Record<string, number> = {}
  for (const result of results) {
    const outcome = result.ok ? 'ok' : result.why
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  console.log(JSON.stringify(counts))
}
await store.close()
