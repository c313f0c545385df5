import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { auditLedger } from './capstan/audit/ledger.js'
import { packageRoot } from '../core/runtime/root.js'
import { freePort, start } from './gateway/process.js'
import { must, startGateway, type Gateway } from './gateway/start.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/grants-beside.js [--grants N] [--abreast N] [--locks N]

Runs \`capstan credits grant\` so many times (default 1000), several at once (default 4), as processes of their own beside a gateway
on SQLite that answers replays under Idempotency-Keys and ordinary calls. So many times (default 5) another process's write lock is
held for three seconds meanwhile. Each tenth grant is sent twice. In the end the gateway is started again, the auditor reads the ledger,
and the balance must be what was granted less what was charged. Exits 1 on any drift.
`

const run = promisify(execFile)
const LOCK_MS = 3_000
/** Distinct Idempotency-Keys that are replayed over and over. */
const REPLAYED = 4

interface Counts {
  calls: number
  replays: number
  /** Refused with 503 while the lock was held. */
  unavailable: number
  readonly other: Map<number, number>
}

async function client(
  gateway: Gateway,
  key: string,
  counts: Counts,
  next: { idempotent: number | null; stopped: () => boolean },
): Promise<void> {
  while (!next.stopped()) {
    const { idempotent } = next
    const reply = await fetch(`${gateway.url}/v1/bench/echo`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotent === null ? {} : { 'idempotency-key': `replayed ${idempotent}` }),
      },
      body: '{"prompt":"beside"}',
    })
    await reply.arrayBuffer()
    if (reply.status === 200 && reply.headers.get('idempotent-replayed') === 'true') counts.replays++
    else if (reply.status === 200) counts.calls++
    else if (reply.status === 503) counts.unavailable++
    else counts.other.set(reply.status, (counts.other.get(reply.status) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, idempotent === null ? 20 : 10))
  }
}

/** True when the command line said that it granted; a grant that found the database locked is sent again. */
async function grant(data: string, ref: string): Promise<void> {
  const args = [join(packageRoot(), 'dist', 'capstan.js'), 'credits', 'grant', '--account', 'default', '--amount', '1']
  for (let tries = 0; ; tries++) {
    try {
      await run(process.execPath, [...args, '--ref', ref, '--json'], { env: { ...process.env, CAPSTAN_DATA: data } })
      return
    } catch (error) {
      if (tries === 10) throw error
    }
  }
}

async function holdLock(file: string): Promise<void> {
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec('begin immediate')
  await new Promise((resolve) => setTimeout(resolve, LOCK_MS))
  db.exec('rollback')
  db.close()
}

async function grantAll(data: string, options: { grants: number; abreast: number; locks: number }): Promise<void> {
  const progress = new Progress(options.grants, 'grants')
  const every = Math.max(1, Math.ceil(options.grants / (options.locks + 1)))
  let next = 0
  let lock: Promise<void> = Promise.resolve()
  const worker = async (): Promise<void> => {
    for (let turn = next++; turn < options.grants; turn = next++) {
      progress.at(turn)
      if (turn > 0 && turn % every === 0 && options.locks > 0) lock = lock.then(() => holdLock(join(data, 'capstan.db')))
      await grant(data, `grant ${turn}`)
      if (turn % 10 === 0) await grant(data, `grant ${turn}`)
    }
  }
  await Promise.all(Array.from({ length: options.abreast }, worker))
  await lock
}

async function main(options: { grants: number; abreast: number; locks: number }): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'capstan-grants-'))
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  const counts: Counts = { calls: 0, replays: 0, unavailable: 0, other: new Map() }
  const gateway = await startGateway({ upstream: mock.url, data })
  let over = false
  try {
    const token = gateway.first?.admin_token ?? ''
    const { key } = await must<{ key: string }>(`${gateway.url}/admin/v1/accounts/default/keys`, token, { rate_limit_per_minute: 100_000 })
    await must(`${gateway.url}/admin/v1/accounts/default/grants`, token, { amount: 1_000_000, ref: 'beside' })
    const stopped = (): boolean => over
    const clients = [null, null, ...Array.from({ length: REPLAYED }, (_, index) => index)].map((idempotent) =>
      client(gateway, key, counts, { idempotent, stopped }),
    )
    await grantAll(data, options)
    over = true
    await Promise.all(clients)
    await gateway.stop()
    const again = await startGateway({ upstream: mock.url, data })
    const account = (await (await fetch(`${again.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      balance: number
      held: number
    }
    await again.stop()
    const { problems, entries } = auditLedger({ file: join(data, 'capstan.db') })
    const drift = account.balance - (1_001_000 + options.grants - counts.calls)
    const others = [...counts.other].map(([status, times]) => `, ${times} x ${status}`).join('')
    process.stdout.write(
      `${options.grants} grants ${options.abreast} at once, the lock held ${options.locks} times for ${LOCK_MS / 1000} s: ${counts.calls} calls, ${counts.replays} replays, ${counts.unavailable} refused while it was held${others}; drift ${drift}, ${account.held} still held, ${problems.length} problems in ${entries} entries\n`,
    )
    for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
    return drift === 0 && account.held === 0 && problems.length === 0 && counts.other.size === 0 ? 0 : 1
  } finally {
    over = true
    await gateway.stop()
    await mock.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: {
    grants: { type: 'string', default: '1000' },
    abreast: { type: 'string', default: '4' },
    locks: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else process.exitCode = await main({ grants: Number(values.grants), abreast: Number(values.abreast), locks: Number(values.locks) })
