import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMongoStore } from '../core/store/mongodb/store.js'
import { openSqliteStore } from '../core/store/sqlite/store.js'
import { endMongo, temporaryMongo } from '../test/support/mongodb.js'
import { LedgerLoad } from './ledger-load.js'

const HELP = `Measures the ledger on this machine: the embedded one, or one on MongoDB.

  node dist/scripts/bench-store.js [--seconds 2] [--accounts 1] [--folder DIR] [--thread worker|same]
  node dist/scripts/bench-store.js --mongodb [--seconds 2] [--accounts 1] [--gateways 4]

A command is a hold or a charge; every call also marks its delivery in batches, as a gateway does. With --mongodb a database of its own
is made on the server that CAPSTAN_TEST_MONGODB names, and dropped again; the last figure is of several gateways on one account.
`

/** What is printed of a load that ran for so many seconds; its times are forgotten. */
function report(name: string, load: LedgerLoad, seconds: number): void {
  const rate = Math.round((2 * load.latencies.length) / seconds)
  const times = [0.5, 0.99].map((part) => load.quantile(part).toFixed(2))
  const unavailable = load.unavailable === 0 ? '' : `, ${load.unavailable} unavailable`
  console.log(
    `${name.padEnd(44)} ${String(rate).padStart(7)} commands/s   hold + charge p50 ${times[0]} ms, p99 ${times[1]} ms${unavailable}`,
  )
  load.latencies.length = 0
  load.unavailable = 0
}

async function measure(name: string, load: LedgerLoad, seconds: number): Promise<void> {
  await load.closed(8, 0.5)
  load.latencies.length = 0
  for (const inFlight of [1, 8, 32, 128]) {
    const cpu = process.cpuUsage()
    await load.closed(inFlight, seconds)
    const used = process.cpuUsage(cpu)
    const each = (used.user + used.system) / Math.max(1, load.latencies.length) / 1000
    report(`${name}, ${inFlight} in flight (${each.toFixed(3)} ms CPU a call)`, load, seconds)
  }
  await load.paced(500, seconds)
  report(`${name}, paced at 500 calls/s`, load, seconds)
}

async function sqlite(thread: 'worker' | 'same', options: { seconds: number; accounts: number; folder: string }): Promise<void> {
  const folder = mkdtempSync(join(options.folder, 'capstan-bench-'))
  const store = await openSqliteStore({ file: join(folder, 'bench.db'), thread })
  await measure(thread, await LedgerLoad.on([store], options.accounts), options.seconds)
  console.log(`${thread}: resident ${Math.round(process.memoryUsage().rss / 1048576)} MiB`)
  await store.close()
  rmSync(folder, { recursive: true })
}

async function mongodb(options: { seconds: number; accounts: number; gateways: number }): Promise<void> {
  const { uri, drop } = await temporaryMongo()
  const store = await openMongoStore({ uri })
  const others = await Promise.all(Array.from({ length: options.gateways - 1 }, () => openMongoStore({ uri })))
  try {
    console.log(await store.describe())
    await measure('mongodb', await LedgerLoad.on([store], options.accounts), options.seconds)
    const hot = await LedgerLoad.on([store, ...others], 1)
    await hot.paced(1_000, options.seconds)
    report(`mongodb, ${options.gateways} gateways, 1000 calls/s on one account`, hot, options.seconds)
  } finally {
    await Promise.all([store, ...others].map((each) => each.close()))
    await drop()
    await endMongo()
  }
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '1' },
    folder: { type: 'string', default: tmpdir() },
    thread: { type: 'string' },
    mongodb: { type: 'boolean', default: false },
    gateways: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
})
const options = { seconds: Number(values.seconds), accounts: Number(values.accounts), folder: values.folder }
if (values.help) console.log(HELP)
else if (values.mongodb) await mongodb({ ...options, gateways: Number(values.gateways) })
else
  for (const thread of ['worker', 'same'] as const)
    if (values.thread === undefined || values.thread === thread) await sqlite(thread, options)
