import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditMongo } from './capstan/audit/mongodb.js'
import { packageRoot } from '../core/runtime/root.js'
import { openMongoStore } from '../core/store/mongodb/store.js'
import { freePort, start } from './gateway/process.js'
import { startShared, type SharedParts } from './gateway/shared.js'
import { must, post, type Gateway } from './gateway/start.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/kill-replicas.js [--kills N] [--replicas N] [--clients N] [--gently]

Loads several gateways (default 4) on one MongoDB-protocol server and one Redis, and kills one of them after another with SIGKILL
(default 200 times), each started anew while the others go on. In the end all are stopped, one sweep is made as a gateway would make
it once their leases have run out, the independent auditor reads the ledger, and the books are held against what the clients saw.
Exits 1 on any drift, duplicate, or charge whose answer nobody got.

With --gently they are ended with SIGTERM, as an upgrade does it. A caller goes on to the next replica where it got no connection or
the 503 of a gateway that is stopping, as a proxy does; beyond that no call may fail, and each answer is paid for.
`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    replicas: { type: 'string', default: '4' },
    clients: { type: 'string', default: '16' },
    gently: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

interface Seen {
  answers: number
  broken: number
  refused: number
  /** Calls that a replica which goes did not take: for the next one. */
  passedOn: number
}

/** Replicas that come and go, as their callers see them. */
interface Callers {
  readonly urls: readonly string[]
  readonly key: string
  readonly seen: Seen
  /** Goes on to the next replica where a call was not taken. */
  readonly passOn: boolean
  readonly stopped: () => boolean
}

/** Calls one replica after another until stopped. A broken connection counts as a lost answer and is not retried. */
async function client({ urls, key, seen, passOn, stopped }: Callers): Promise<void> {
  for (let turn = Math.floor(Math.random() * urls.length); !stopped(); turn++) {
    try {
      const { status, json } = await post(`${urls[turn % urls.length] ?? ''}/v1/bench/echo`, key, { prompt: 'kill' })
      if (status === 200) seen.answers++
      else if (passOn && isStopping(status, json)) seen.passedOn++
      else seen.refused++
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (passOn && isNobody(error.cause)) seen.passedOn++
      else seen.broken++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** True of the refusal of a gateway that is stopping, which comes before anything of the call is done; any other is a failure. */
function isStopping(status: number, json: unknown): boolean {
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : null
  return (
    status === 503 &&
    typeof error === 'object' &&
    error !== null &&
    'detail' in error &&
    /^The gateway is stopping/.test(String(error.detail))
  )
}

/** True when no connection was made, so that nothing was sent. */
function isNobody(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

/** What the ledger holds once everybody is gone and their leases have run out. */
async function afterSweep(shared: SharedParts) {
  const store = await openMongoStore({ uri: shared.uri })
  try {
    const later = Date.now() + 3_600_000
    let duplicates = 0
    for (let more = true; more;) {
      const report = await store.ledger.sweep({ now: later, graceMs: 0, owner: 'kill test', deadOwners: await store.leases.dead(later) })
      more = report.released + report.refunded > 0
    }
    const balance = await store.ledger.balance('default')
    const seen = new Set<string>()
    for (let afterSeq = 0; ;) {
      const page = await store.ledger.entries({ account: 'default', afterSeq, limit: 1000 })
      for (const { ref } of page) {
        if (seen.has(ref)) duplicates++
        seen.add(ref)
      }
      const last = page.at(-1)
      if (last === undefined) break
      afterSeq = last.seq
    }
    return { balance: (balance?.balance ?? 0) / 1000, held: (balance?.held ?? 0) / 1000, duplicates }
  } finally {
    await store.close()
  }
}

interface Plan {
  readonly kills: number
  readonly replicas: number
  readonly clients: number
  readonly gently: boolean
}

async function main({ kills, replicas, clients, gently }: Plan): Promise<number> {
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  const shared = await startShared()
  const seen: Seen = { answers: 0, broken: 0, refused: 0, passedOn: 0 }
  try {
    const gateways: Gateway[] = await Promise.all(Array.from({ length: replicas }, () => shared.replica(mock.url)))
    const urls = gateways.map(({ url }) => url)
    const granted = 10_000_000
    await must(`${urls[0]}/admin/v1/accounts/default/grants`, shared.adminToken, { amount: granted, ref: 'kill-test' })
    const order = { rate_limit_per_minute: 100_000 }
    const { key } = await must<{ key: string }>(`${urls[0]}/admin/v1/accounts/default/keys`, shared.adminToken, order)
    let over = false
    const running = Array.from({ length: clients }, () => client({ urls, key, seen, passOn: gently, stopped: () => over }))
    const deed = gently ? 'restarts' : 'kills'
    const progress = new Progress(kills, deed)
    for (let kill = 0; kill < kills; kill++) {
      progress.at(kill)
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 300))
      const victim = kill % replicas
      const killed = gateways[victim]
      await (gently ? killed?.stop() : killed?.kill())
      // Its folder holds nothing that is shared.
      rmSync(killed?.data ?? '', { recursive: true, force: true })
      const fresh = await shared.replica(mock.url)
      gateways[victim] = fresh
      urls[victim] = fresh.url
    }
    over = true
    await Promise.all(running)
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    const after = await afterSweep(shared)
    const report = await auditMongo({ uri: shared.uri })
    const charged = granted + 1000 - after.balance
    const taken = Math.max(0, charged - seen.answers)
    process.stdout.write(
      `${kills} ${deed} of ${replicas} replicas, ${clients} clients: ${seen.answers} answers seen, ${seen.broken} connections broken, ${seen.refused} refused, ${gently ? `${seen.passedOn} passed on, ` : ''}${charged} credits charged, ${after.held} still held; drift ${report.problems.length}, duplicates ${after.duplicates}, charged without an answer ${taken}, answered and given back ${Math.max(0, seen.answers - charged)}; ${report.entries} entries audited\n`,
    )
    for (const problem of report.problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
    const failed = gently && (seen.broken > 0 || seen.refused > 0 || seen.answers !== charged)
    return report.ok && taken === 0 && after.held === 0 && after.duplicates === 0 && !failed ? 0 : 1
  } finally {
    await shared.stop()
    await mock.stop()
  }
}

if (values.help) process.stdout.write(HELP)
else {
  const { kills, replicas, clients, gently } = values
  process.exitCode = await main({ kills: Number(kills), replicas: Number(replicas), clients: Number(clients), gently })
}
