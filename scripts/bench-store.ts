import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ulid } from '../core/id.js'
import { openSqliteStore } from '../core/store/sqlite/store.js'
import type { Facts, Store } from '../core/store/port.js'

const HELP = `Measures the embedded ledger on this machine.

  node dist/scripts/bench-store.js [--seconds 2] [--accounts 1] [--folder DIR] [--thread worker|same]

A command is a hold or a charge; every call also marks its delivery in batches, as a gateway does.
`

const facts = (id: string): Facts => ({
  endpoint: '/v1/search',
  capability: 'search.web',
  mode: 'fast',
  product: 'agent',
  key_id: 'key_bench',
  request_id: id,
  status: 200,
  ms: 412,
  provider_used: 'tavily',
  providers_tried: ['searxng', 'tavily'],
  error: null,
})

interface Run {
  readonly store: Store
  readonly accounts: readonly string[]
  readonly latencies: number[]
  marks: { account: string; ref: string }[]
}

async function call(run: Run, turn: number): Promise<void> {
  const account = run.accounts[turn % run.accounts.length] ?? ''
  const now = Date.now()
  const hold = ulid(now)
  const began = performance.now()
  const place = { account, hold, amount: 1000, deadline: now + 60_000, owner: 'bench', auth: 0, key: 'key_bench', capped: false }
  const held = await run.store.ledger.hold({ ...place, capability: 'search.web', maxOpen: 100_000, now })
  if (!held.ok) throw new Error(`a hold was refused: ${held.why}`)
  const charged = await run.store.ledger.charge({ account, hold, amount: 1000, owner: 'bench', facts: facts(hold), now })
  if (!charged.ok) throw new Error(`a charge was refused: ${charged.why}`)
  run.latencies.push(performance.now() - began)
  run.marks.push({ account, ref: hold })
}

const quantile = (sorted: readonly number[], part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

function report(name: string, run: Run, seconds: number): void {
  const sorted = run.latencies.toSorted((a, b) => a - b)
  const rate = Math.round((2 * sorted.length) / seconds)
  const times = [0.5, 0.99].map((part) => quantile(sorted, part).toFixed(2))
  console.log(`${name.padEnd(34)} ${String(rate).padStart(7)} commands/s   hold + charge p50 ${times[0]} ms, p99 ${times[1]} ms`)
  run.latencies.length = 0
}

async function flush(run: Run): Promise<void> {
  const marks = run.marks
  run.marks = []
  if (marks.length > 0) await run.store.ledger.delivered(marks)
}

async function loop(run: Run, inFlight: number, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  let turn = 0
  const timer = setInterval(() => void flush(run), 10)
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < end) await call(run, turn++)
    }),
  )
  clearInterval(timer)
  await flush(run)
}

/** Calls at a fixed rate, whether or not the earlier ones are answered. */
async function paced(run: Run, perSecond: number, seconds: number): Promise<void> {
  const open: Promise<void>[] = []
  const began = performance.now()
  for (let made = 0; made < perSecond * seconds;) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    for (; made < due; made++) open.push(call(run, made))
    await flush(run)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(open)
}

async function measure(thread: 'worker' | 'same', options: { seconds: number; accounts: number; folder: string }): Promise<void> {
  const folder = mkdtempSync(join(options.folder, 'capstan-bench-'))
  const store = await openSqliteStore({ file: join(folder, 'bench.db'), thread })
  const accounts = Array.from({ length: options.accounts }, (_, index) => `acc_${index}`)
  for (const account of accounts) {
    await store.accounts.create({ id: account, name: account, now: Date.now() })
    await store.ledger.post({
      account,
      ref: 'grant',
      kind: 'grant',
      amount: 1e12,
      note: null,
      facts: null,
      owner: 'bench',
      now: Date.now(),
    })
    const key = { id: `key_${account}`, account, name: 'bench', hash: account, prefix: 'cap_', rate_limit_per_minute: 60, created_at: 0 }
    await store.keys.create({ ...key, expires_at: null, scopes: null, credit_limit: null, credit_limit_per_day: null, allowed_ips: null })
  }
  const run: Run = { store, accounts, latencies: [], marks: [] }
  await loop(run, 8, 0.5)
  run.latencies.length = 0
  for (const inFlight of [1, 8, 32, 128]) {
    const cpu = process.cpuUsage()
    await loop(run, inFlight, options.seconds)
    const used = process.cpuUsage(cpu)
    const each = (used.user + used.system) / run.latencies.length / 1000
    report(`${thread}, ${inFlight} in flight (${each.toFixed(3)} ms CPU a call)`, run, options.seconds)
  }
  await paced(run, 500, options.seconds)
  report(`${thread}, paced at 500 calls/s`, run, options.seconds)
  console.log(`${thread}: resident ${Math.round(process.memoryUsage().rss / 1048576)} MiB`)
  await store.close()
  rmSync(folder, { recursive: true })
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    accounts: { type: 'string', default: '1' },
    folder: { type: 'string', default: tmpdir() },
    thread: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else {
  const options = { seconds: Number(values.seconds), accounts: Number(values.accounts), folder: values.folder }
  for (const thread of ['worker', 'same'] as const)
    if (values.thread === undefined || values.thread === thread) await measure(thread, options)
}
