import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditMongo } from '../core/audit/mongodb.js'
import { packageRoot } from '../core/root.js'
import { openMongoStore } from '../core/store/mongodb/store.js'
import { freePort, start } from './gateway/process.js'
import { startShared, type SharedParts } from './gateway/shared.js'
import { must, post, type Gateway } from './gateway/start.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/kill-replicas.js [--kills N] [--replicas N] [--clients N]

Loads several gateways (default 4) on one MongoDB-protocol server and one Redis, and kills one of them after another with SIGKILL
(default 200 times), each started anew while the others go on. In the end all are stopped, one sweep is made as a gateway would make
it once their leases have run out, the independent auditor reads the ledger, and the books are held against what the clients saw.
Exits 1 on any drift, duplicate, or charge whose answer nobody got.
`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    replicas: { type: 'string', default: '4' },
    clients: { type: 'string', default: '16' },
    help: { type: 'boolean', default: false },
  },
})

interface Seen {
  answers: number
  broken: number
  refused: number
}

/** Calls one replica after another until told to stop; a broken connection is a caller's lost answer, tried no further. */
async function client(urls: readonly string[], key: string, seen: Seen, stopped: () => boolean): Promise<void> {
  for (let turn = Math.floor(Math.random() * urls.length); !stopped(); turn++) {
    try {
      const { status } = await post(`${urls[turn % urls.length] ?? ''}/v1/bench/echo`, key, { prompt: 'kill' })
      if (status === 200) seen.answers++
      else seen.refused++
    } catch (error) {
      if (!(error instanceof Error)) throw error
      seen.broken++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
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

async function main(kills: number, replicas: number, clients: number): Promise<number> {
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  const shared = await startShared()
  const seen: Seen = { answers: 0, broken: 0, refused: 0 }
  try {
    const gateways: Gateway[] = await Promise.all(Array.from({ length: replicas }, () => shared.replica(mock.url)))
    const urls = gateways.map(({ url }) => url)
    const granted = 10_000_000
    await must(`${urls[0]}/admin/v1/accounts/default/grants`, shared.adminToken, { amount: granted, ref: 'kill-test' })
    const order = { rate_limit_per_minute: 100_000 }
    const { key } = await must<{ key: string }>(`${urls[0]}/admin/v1/accounts/default/keys`, shared.adminToken, order)
    let over = false
    const running = Array.from({ length: clients }, () => client(urls, key, seen, () => over))
    const progress = new Progress(kills, 'kills')
    for (let kill = 0; kill < kills; kill++) {
      progress.at(kill)
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 300))
      const victim = kill % replicas
      const killed = gateways[victim]
      await killed?.kill()
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
      `${kills} kills of ${replicas} replicas, ${clients} clients: ${seen.answers} answers seen, ${seen.broken} connections broken, ${seen.refused} refused, ${charged} credits charged, ${after.held} still held; drift ${report.problems.length}, duplicates ${after.duplicates}, charged without an answer ${taken}, answered and given back ${Math.max(0, seen.answers - charged)}; ${report.entries} entries audited\n`,
    )
    for (const problem of report.problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
    return report.ok && taken === 0 && after.held === 0 && after.duplicates === 0 ? 0 : 1
  } finally {
    await shared.stop()
    await mock.stop()
  }
}

if (values.help) process.stdout.write(HELP)
else process.exitCode = await main(Number(values.kills), Number(values.replicas), Number(values.clients))
