import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditLedger } from './capstan/audit/ledger.js'
import { packageRoot } from '../core/runtime/root.js'
import { freePort, start } from './gateway/process.js'
import { must, post, startGateway, type Gateway } from './gateway/start.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/kill-gateway.js [--cycles N] [--clients N] [--accounts N]

Starts the gateway, loads it, kills it with SIGKILL after 100 to 400 ms, starts it again on the same data, and so on (default 200
cycles of 16 clients). With --accounts the calls go round so many accounts. After each start the independent auditor reads the ledger. In the end the books are held against what the
clients saw: no charge may be missing for an answer that was not seen (it would be money taken for nothing), and what was seen and
yet given back is the operator's loss, in the caller's favour. Exits 1 on any drift.
`

interface Seen {
  /** Complete answers with status 200, a credit each. */
  answers: number
  /** Requests whose connection broke. */
  broken: number
}

/** Gives the keys one after the other, again and again. */
class KeyRing {
  readonly keys: string[] = []
  #turn = 0

  next(): string {
    return this.keys[this.#turn++ % this.keys.length] ?? ''
  }
}

async function client(gateway: Gateway, ring: KeyRing, seen: Seen, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    try {
      const { status } = await post(`${gateway.url}/v1/bench/echo`, ring.next(), { prompt: 'kill' })
      if (status === 200) seen.answers++
    } catch (error) {
      if (!(error instanceof Error)) throw error
      seen.broken++
      return
    }
  }
}

async function cycle(gateway: Gateway, ring: KeyRing, seen: Seen, clients: number): Promise<void> {
  let over = false
  const running = Array.from({ length: clients }, () => client(gateway, ring, seen, () => over))
  await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 300))
  await gateway.kill()
  over = true
  await Promise.all(running)
}

/** Accounts made together: each waits for commits. */
const TOGETHER = 50

/** Accounts with money for any number of calls, and a key of each. Answers the credits they have. */
async function furnish({ url, first }: Gateway, accounts: number, ring: KeyRing): Promise<number> {
  const token = first?.admin_token ?? ''
  const credits = 10_000_000
  const make = async (): Promise<void> => {
    const { id } = await must<{ id: string }>(`${url}/admin/v1/accounts`, token, { name: 'kill test', credits })
    ring.keys.push((await must<{ key: string }>(`${url}/admin/v1/accounts/${id}/keys`, token, { rate_limit_per_minute: 100_000 })).key)
  }
  const progress = new Progress(accounts, 'accounts')
  for (let made = 0; made < accounts; made += TOGETHER) {
    await Promise.all(Array.from({ length: Math.min(TOGETHER, accounts - made) }, make))
    progress.at(made)
  }
  return accounts * credits
}

/** Sums over the accounts of the keys. */
async function sums({ url }: Gateway, ring: KeyRing): Promise<{ balance: number; held: number }> {
  const sum = { balance: 0, held: 0 }
  for (const key of ring.keys) {
    const reply = await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })
    if (reply.status !== 200) throw new Error(`/v1/account answered ${reply.status}`)
    const { balance, held } = (await reply.json()) as { balance: number; held: number }
    sum.balance += balance
    sum.held += held
  }
  return sum
}

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    clients: { type: 'string', default: '16' },
    accounts: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else process.exitCode = await main(Number(values.cycles), Number(values.clients), Number(values.accounts))

async function main(cycles: number, clients: number, accounts: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'capstan-kill-'))
  const file = join(data, 'capstan.db')
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  const seen: Seen = { answers: 0, broken: 0 }
  const problems: string[] = []
  const ring = new KeyRing()
  let running: Gateway | null = null
  let granted = 0
  try {
    const progress = new Progress(cycles, 'kills')
    for (let count = 0; count < cycles; count++) {
      progress.at(count)
      const gateway = await startGateway({ upstream: mock.url, data })
      running = gateway
      if (gateway.first !== null) granted = await furnish(gateway, accounts, ring)
      const report = auditLedger({ file })
      problems.push(...report.problems)
      await cycle(gateway, ring, seen, clients)
    }
    const last = await startGateway({ upstream: mock.url, data })
    running = last
    const account = await sums(last, ring)
    await last.stop()
    const report = auditLedger({ file })
    problems.push(...report.problems)
    const charged = granted - account.balance
    const taken = Math.max(0, charged - seen.answers)
    process.stdout.write(
      `${cycles} kills, ${clients} clients, ${accounts} ${accounts === 1 ? 'account' : 'accounts'}: ${seen.answers} answers seen, ${seen.broken} connections broken, ${charged} credits charged, ${account.held} still held; drift ${problems.length}, charged without an answer ${taken}, answered and given back ${Math.max(0, seen.answers - charged)}; ${report.entries} entries audited\n`,
    )
    for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
    return problems.length === 0 && taken === 0 && account.held === 0 ? 0 : 1
  } finally {
    await running?.kill()
    await mock.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
