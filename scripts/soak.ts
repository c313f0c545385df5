import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { auditLedger } from './capstan/audit/ledger.js'
import { GuestPlugins } from '../test/support/guest-plugin.js'
import { writeWeigh, type Weighed } from '../test/support/weigh.js'
import { residentMib } from './gateway/process.js'
import { must, startGateway, type Gateway } from './gateway/start.js'
import { soakCall, startSite, writeVaried } from './soak-calls.js'

const HELP = `node dist/scripts/soak.js [--calls N]

Makes varied calls (default 100,000), 24 at once: ordinary ones, replays, event streams, calls that are left, whose providers miss, break, take
too long and never end, pages whose connection is reset or broken off, requests that are refused. Ten times it waits for the end of what
runs and weighs what the gateway holds. Exits 1 when memory, handles or descriptors grow from the third weighing on, when the ledger's books
do not agree, or when a connection was lost that nobody left.
`

const PARTS = 10
/** The weighing that later ones are held against: caches and compiled code have grown by then. */
const FULL = 3
const WORKERS = 24
/** Connections to pages are kept for a second. */
const SETTLE_MS = 3_000
const MIB = 1024 * 1024
const MOST_GROWTH = 5 * MIB
const MOST_MORE = 4

const { values } = parseArgs({ options: { calls: { type: 'string', default: '100000' }, help: { type: 'boolean', default: false } } })

/** What a gateway gives away by its own account and by the kernel's. */
interface Weighing extends Weighed {
  readonly residentMib: number
}

async function weigh({ url, pid }: Gateway, key: string): Promise<Weighing> {
  const { data } = await must<{ data: { text: string } }>(`${url}/v1/weigh`, key, { text: '0' })
  return { ...(JSON.parse(data.text) as Weighed), residentMib: residentMib(pid) }
}

/** A key with money and a rate for any number of calls. */
async function furnish({ url, first }: Gateway): Promise<string> {
  const token = first?.admin_token ?? ''
  await must(`${url}/admin/v1/accounts/default/grants`, token, { amount: 10_000_000, ref: 'soak' })
  return (await must<{ key: string }>(`${url}/admin/v1/accounts/default/keys`, token, { rate_limit_per_minute: 100_000 })).key
}

async function main(calls: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'capstan-soak-'))
  const guests = new GuestPlugins()
  writeWeigh(guests)
  writeVaried(guests)
  const { url: site, server } = await startSite()
  let running: Gateway | null = null
  try {
    const env = { CAPSTAN_PLUGINS: guests.folder, NODE_OPTIONS: '--expose-gc' }
    const gateway = await startGateway({ upstream: site, data, env })
    running = gateway
    const key = await furnish(gateway)
    const seen = new Map<string, number>()
    const weighings: Weighing[] = []
    const began = performance.now()
    for (let part = 0; part < PARTS; part++) {
      const agent = new Agent({ keepAlive: true, maxSockets: WORKERS })
      const end = Math.round((calls * (part + 1)) / PARTS)
      let next = Math.round((calls * part) / PARTS)
      const work = async (): Promise<void> => {
        while (next < end) {
          const outcome = await soakCall(next++, { url: gateway.url, key, agent, site })
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: WORKERS }, work))
      agent.destroy()
      await pause(SETTLE_MS)
      const now = await weigh(gateway, key)
      weighings.push(now)
      process.stdout.write(
        `${String(end).padStart(7)} calls, ${Math.round((performance.now() - began) / 1000)} s: ${(now.bytes / MIB).toFixed(1)} MiB held, ${now.residentMib.toFixed(0)} MiB resident, ${now.handles} handles, ${now.descriptors} descriptors\n`,
      )
    }
    await gateway.stop()
    return verdict(weighings, seen, auditLedger({ file: join(data, 'capstan.db') }))
  } finally {
    await running?.kill()
    server.closeAllConnections()
    server.close()
    guests.remove()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Prints what came of it; answers the exit code. */
function verdict(weighings: readonly Weighing[], seen: ReadonlyMap<string, number>, books: ReturnType<typeof auditLedger>): number {
  const full = weighings[FULL - 1]
  const last = weighings.at(-1)
  if (full === undefined || last === undefined) throw new Error('nothing was weighed')
  const grown = last.bytes - full.bytes
  const lost = seen.get('lost') ?? 0
  const outcomes = [...seen].sort(([one], [other]) => one.localeCompare(other)).map(([outcome, count]) => `${outcome} ${count}`)
  process.stdout.write(
    `outcomes: ${outcomes.join(', ')}\nfrom the third weighing to the last: ${(grown / MIB).toFixed(1)} MiB, ${last.handles - full.handles} handles, ${last.descriptors - full.descriptors} descriptors; drift ${books.problems.length}, ${books.entries} entries audited, ${lost} connections lost\n`,
  )
  for (const problem of books.problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
  const flat = grown <= MOST_GROWTH && last.handles - full.handles <= MOST_MORE && last.descriptors - full.descriptors <= MOST_MORE
  return flat && books.problems.length === 0 && lost === 0 ? 0 : 1
}

if (values.help) process.stdout.write(HELP)
else process.exitCode = await main(Number(values.calls))
