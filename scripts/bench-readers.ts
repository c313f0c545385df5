import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditStore } from './capstan/audit/store.js'
import type { Store } from '../core/store/types.js'
import { openSqliteStore } from '../core/store/sqlite/store.js'
import { keyOf } from '../test/support/store.js'
import { LedgerLoad } from './ledger-load.js'
import { Progress } from './progress.js'

const HELP = `Measures how long hold and charge of one account take at 500 calls a second while others read much of the embedded ledger.

  node dist/scripts/bench-readers.js [--calls 500000] [--keys 10000] [--most-keys 100000] [--seconds 5] [--folder DIR]

Makes a ledger of so many calls and keys, then paces the load alone and beside each reader: an audit of the whole ledger, lists of all
keys, and a client that pages through every call. At last the account gets --most-keys keys, and the slowest request of each kind is printed.
`

const ACCOUNT = 'acc_0'
/** Rows of one page, the most that the API gives. */
const PAGE = { keys: 1000, calls: 200 }
/** Pages of calls are read at places spread over the whole history: 2,500 pages one by one would only take longer. */
const PAGES = 100

async function addKeys(store: Store, from: number, to: number): Promise<void> {
  const progress = new Progress(to - from, 'keys')
  for (let at = from; at < to; at += 500) {
    progress.at(at - from)
    const some = Array.from({ length: Math.min(500, to - at) }, (_, index) =>
      keyOf({ id: `key_b${at + index}`, account: ACCOUNT, created_at: at + index }),
    )
    await Promise.all(some.map((key) => store.keys.create(key)))
  }
}

async function addCalls(load: LedgerLoad, calls: number): Promise<void> {
  const progress = new Progress(calls, 'calls')
  while (load.latencies.length < calls) {
    progress.at(load.latencies.length)
    await load.closed(128, 2)
  }
  load.latencies.length = 0
}

async function listAllKeys(store: Store): Promise<void> {
  const now = Date.now()
  for (let offset = 0, total = 1; offset < total; offset += PAGE.keys)
    total = (await store.keys.list(ACCOUNT, { now, limit: PAGE.keys, offset })).total
}

async function pageThroughCalls(store: Store): Promise<void> {
  const { total } = await store.history.calls({ account: ACCOUNT, limit: 1, offset: 0 })
  for (let page = 0; page < PAGES; page++) {
    const offset = Math.floor(((total - PAGE.calls) * page) / (PAGES - 1))
    const { rows } = await store.history.calls({ account: ACCOUNT, limit: PAGE.calls, offset })
    if (rows.length !== PAGE.calls) throw new Error(`a page at ${offset} of ${total} calls has ${rows.length} rows`)
  }
}

/** p99 of hold and charge in milliseconds while the reader runs over and over, and how often it got through. */
async function beside(load: LedgerLoad, seconds: number, read: (() => Promise<unknown>) | null): Promise<{ p99: number; rounds: number }> {
  load.latencies.length = 0
  let done = false
  let rounds = 0
  const reading = (async () => {
    for (; read !== null && !done; rounds++) await read()
  })()
  await load.paced(500, seconds)
  done = true
  const p99 = load.quantile(0.99)
  await reading
  return { p99, rounds }
}

async function slowest(times: number, work: (turn: number) => Promise<unknown>): Promise<number> {
  let worst = 0
  for (let turn = 0; turn < times; turn++) {
    const began = performance.now()
    await work(turn)
    worst = Math.max(worst, performance.now() - began)
  }
  return worst
}

async function main(options: { calls: number; keys: number; mostKeys: number; seconds: number; folder: string }): Promise<void> {
  const folder = mkdtempSync(join(options.folder, 'capstan-readers-'))
  const file = join(folder, 'bench.db')
  const store = await openSqliteStore({ file, thread: 'worker' })
  try {
    const load = await LedgerLoad.on([store], 1)
    await addCalls(load, options.calls)
    await addKeys(store, 0, options.keys)
    await load.paced(500, 1)
    const quiet = await beside(load, options.seconds, null)
    const row = (name: string, { p99, rounds }: { p99: number; rounds: number }) =>
      console.log(
        `${name.padEnd(52)} p99 ${p99.toFixed(2)} ms, ${(p99 / quiet.p99).toFixed(2)} x quiet${rounds === 0 ? '' : `, ${rounds} rounds`}`,
      )
    row('500 calls/s alone', quiet)
    row('beside an audit of the ledger', await beside(load, options.seconds, () => auditStore(`sqlite:${file}`)))
    row(`beside lists of ${options.keys} keys`, await beside(load, options.seconds, () => listAllKeys(store)))
    row(`beside pages over ${options.calls} calls`, await beside(load, options.seconds, () => pageThroughCalls(store)))
    await addKeys(store, options.keys, options.mostKeys)
    const now = Date.now()
    const figures = {
      'a new key': await slowest(50, (turn) =>
        store.keys.create(keyOf({ id: `key_n${turn}`, account: ACCOUNT }), { most: options.mostKeys * 2 }),
      ),
      'a page of 1,000 keys': await slowest(20, (turn) =>
        store.keys.list(ACCOUNT, { now, limit: PAGE.keys, offset: (turn * options.mostKeys) / 20 }),
      ),
      'finding a key': await slowest(200, (turn) => store.keys.find(`hash of key_b${turn * 37}`)),
      'revoking a key': await slowest(20, (turn) => store.keys.revoke(ACCOUNT, `key_b${turn}`, now)),
    }
    for (const [what, ms] of Object.entries(figures)) console.log(`with ${options.mostKeys} keys, ${what}: at most ${ms.toFixed(1)} ms`)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500000' },
    keys: { type: 'string', default: '10000' },
    'most-keys': { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
    folder: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else
  await main({
    calls: Number(values.calls),
    keys: Number(values.keys),
    mostKeys: Number(values['most-keys']),
    seconds: Number(values.seconds),
    folder: values.folder,
  })
