import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../core/runtime/root.js'
import { freePort, start } from './gateway/process.js'
import { startShared } from './gateway/shared.js'
import { must, post, startGateway } from './gateway/start.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/race-gateway.js [--rounds N] [--calls N] [--money N] [--replicas N]

Sends so many parallel paid calls (default 500) to a gateway with money for a few (default 10), each round on a new account, and
prints how many succeeded and how the others were refused (402 by the ledger; 503 when the machine is overloaded). With --replicas
the calls go in turn to so many gateways on one MongoDB-protocol server and one Redis, otherwise to one gateway on SQLite. Exits 1
unless in every round the number of successes was the one that was paid for.
`

interface Account {
  readonly id: string
}

/** One round: a new account, its keys, all calls at once. Answers how many had which status. */
async function round(urls: readonly string[], admin: string, about: { calls: number; money: number }): Promise<Map<number, number>> {
  const [url = ''] = urls
  const { id } = await must<Account>(`${url}/admin/v1/accounts`, admin, { name: 'race', credits: about.money })
  await fetch(`${url}/admin/v1/accounts/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: '{"concurrency":512}',
  })
  const { key } = await must<{ key: string }>(`${url}/admin/v1/accounts/${id}/keys`, admin, { rate_limit_per_minute: 100_000 })
  const statuses = await Promise.all(
    Array.from({ length: about.calls }, async (_, index) => {
      const { status } = await post(`${urls[index % urls.length] ?? url}/v1/bench/echo`, key, { prompt: 'race' })
      return status
    }),
  )
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    calls: { type: 'string', default: '500' },
    money: { type: 'string', default: '10' },
    replicas: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else {
  const about = { calls: Number(values.calls), money: Number(values.money) }
  const port = await freePort()
  // The upstream takes a while, so that all calls are under way while the money is still there.
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port), '20'],
  })
  const replicas = Number(values.replicas)
  const shared = replicas === 0 ? null : await startShared()
  const gateways =
    shared === null
      ? [await startGateway({ upstream: mock.url })]
      : await Promise.all(Array.from({ length: replicas }, () => shared.replica(mock.url)))
  const urls = gateways.map(({ url }) => url)
  const admin = shared?.adminToken ?? gateways[0]?.first?.admin_token ?? ''
  let wrong = 0
  const totals = new Map<number, number>()
  try {
    const progress = new Progress(Number(values.rounds), 'rounds')
    for (let count = 0; count < Number(values.rounds); count++) {
      progress.at(count)
      const counts = await round(urls, admin, about)
      for (const [status, times] of counts) totals.set(status, (totals.get(status) ?? 0) + times)
      if (counts.get(200) !== about.money) wrong++
    }
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await shared?.stop()
    await mock.stop()
  }
  const list = [...totals].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`)
  const where = replicas === 0 ? '' : ` over ${replicas} replicas`
  process.stdout.write(
    `${values.rounds} rounds of ${about.calls} parallel calls${where} with money for ${about.money}: ${list.join(', ')}; rounds with another number of successes: ${wrong}\n`,
  )
  process.exitCode = wrong === 0 ? 0 : 1
}
