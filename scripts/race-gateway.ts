import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../core/root.js'
import { freePort, start } from './gateway/process.js'
import { must, post, startGateway } from './gateway/start.js'

const HELP = `node dist/scripts/race-gateway.js [--rounds N] [--calls N] [--money N]

Sends so many parallel paid calls (default 500) to a gateway with money for a few (default 10), each round on a new account, and
prints how many succeeded and how the others were refused (402 by the ledger; 503 when the machine is overloaded). Exits 1 unless
in every round the number of successes was the one that was paid for.
`

interface Account {
  readonly id: string
}

/** One round: a new account, its keys, all calls at once. Answers how many had which status. */
async function round(url: string, admin: string, about: { calls: number; money: number }): Promise<Map<number, number>> {
  const { id } = await must<Account>(`${url}/admin/v1/accounts`, admin, { name: 'race', credits: about.money })
  await fetch(`${url}/admin/v1/accounts/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: '{"concurrency":512}',
  })
  const { key } = await must<{ key: string }>(`${url}/admin/v1/accounts/${id}/keys`, admin, { rate_limit_per_minute: 100_000 })
  const statuses = await Promise.all(
    Array.from({ length: about.calls }, async () => (await post(`${url}/v1/bench/echo`, key, { prompt: 'race' })).status),
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
  const gateway = await startGateway({ upstream: mock.url })
  let wrong = 0
  const totals = new Map<number, number>()
  try {
    for (let count = 0; count < Number(values.rounds); count++) {
      const counts = await round(gateway.url, gateway.first?.admin_token ?? '', about)
      for (const [status, times] of counts) totals.set(status, (totals.get(status) ?? 0) + times)
      if (counts.get(200) !== about.money) wrong++
    }
  } finally {
    await gateway.stop()
    await mock.stop()
  }
  const list = [...totals].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`)
  process.stdout.write(
    `${values.rounds} rounds of ${about.calls} parallel calls with money for ${about.money}: ${list.join(', ')}; rounds with another number of successes: ${wrong}\n`,
  )
  process.exitCode = wrong === 0 ? 0 : 1
}
