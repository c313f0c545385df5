import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findGroups, type JobGroup } from '../core/exec/cgroup.js'
import { quantile } from './bench/neighbours/figures.js'
import { peakMib } from './gateway/process.js'
import { must, startGateway } from './gateway/start.js'

const HELP = `node dist/scripts/bytes.js [--seconds N] [--memory MIB]

Runs a gateway in a control group of so much memory (default 1024 MiB) and attacks it for so long (default 300 s) by what it has to keep in
memory for others: answers that nobody reads, or a byte a second (discovery, scrape, events, repeated answers, error pages), and bodies that
never end (code, /v1/agent, uploads, the admin API, chunks of one byte). Beside it an account pays for ten calls a second; one that is refused
with Retry-After is made again, and has failed when it has no answer after 15 s. Exits 1 when the gateway ended, took more memory, or a paid
call failed. Where no control group can be made it says so, and holds resident memory to the same figure.
`

const WIDE = Buffer.alloc(4_900_000, 1)
const REPLY = JSON.stringify({ choices: [{ message: { content: 'A fixed answer of some forty characters.' } }] })
const EVERY_MS = 100
const POLL_MS = 200
const GIVE_UP_MS = 15_000
const MIB = 1024 * 1024

interface Paid {
  readonly times: number[]
  /** Statuses of calls that failed, 0 where no answer came. */
  readonly failures: number[]
  again: number
}

/** Makes one paid call until it is answered. */
async function pay(url: string, key: string, paid: Paid): Promise<void> {
  const began = performance.now()
  for (;;) {
    const status = await fetch(`${url}/v1/bench/echo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'hello' }),
      signal: AbortSignal.timeout(GIVE_UP_MS),
    }).then(
      async (reply) => (await reply.arrayBuffer(), reply.status),
      () => 0,
    )
    const ms = performance.now() - began
    if (status === 200) return void paid.times.push(ms)
    if (status !== 503 || ms > GIVE_UP_MS) return void paid.failures.push(status)
    paid.again++
    await pause(1_000)
  }
}

function groupOf(memoryMb: number): JobGroup | null {
  const groups = findGroups()
  if (!groups.controllers.has('memory')) return null
  return groups.create(`capstan-bytes-${process.pid}`, { memoryMb, processes: 1_000, cpus: availableParallelism() })
}

/** The folders that bound memory alone: a share of the processor would slow the gateway down beside whatever else runs here. */
function memoryFolders({ folders }: JobGroup): string[] {
  return folders.filter((folder) => ['memory.max', 'memory.limit_in_bytes'].some((file) => existsSync(join(folder, file))))
}

function attack(args: readonly string[]): ChildProcess {
  return fork(new URL('./bytes/attacker.js', import.meta.url), [...args])
}

async function main(seconds: number, memoryMb: number): Promise<number> {
  // Both the page that attackers have read and the vendor behind the calls that are paid for.
  const site = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST') response.writeHead(200, { 'content-type': 'application/json' }).end(REPLY)
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(WIDE)
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const group = groupOf(memoryMb)
  if (group === null) process.stdout.write('no control group can be made here: resident memory is held to the same figure\n')
  const gateway = await startGateway({
    upstream: page,
    discardsLog: true,
    env: {
      CAPSTAN_LIMIT_KEY_CONCURRENCY: '20',
      CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '64',
      CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '20',
      CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '600',
      ...(group === null ? { CAPSTAN_LIMIT_BUFFER: String((memoryMb / 4) * MIB) } : {}),
    },
    ...(group === null
      ? {}
      : {
          wrap: [
            'sh',
            '-c',
            `${memoryFolders(group)
              .map((folder) => `echo $$ > '${folder}/cgroup.procs'`)
              .join('; ')}; exec "$@"`,
            'sh',
          ],
        }),
  })
  const admin = gateway.first?.admin_token ?? ''
  const account = async (name: string): Promise<string> => {
    const { id } = await must<{ id: string }>(`${gateway.url}/admin/v1/accounts`, admin, { name, credits: 1_000_000 })
    return (await must<{ key: string }>(`${gateway.url}/admin/v1/accounts/${id}/keys`, admin, { rate_limit_per_minute: 10_000 })).key
  }
  const payer = await account('Payer')
  const attackers: ChildProcess[] = []
  // Five accounts, since four may fill the budget of the process.
  for (let index = 0; index < 5; index++)
    attackers.push(attack([gateway.url, await account(`Attacker ${index}`), page, admin, String(index)]))
  const paid: Paid = { times: [], failures: [], again: 0 }
  const over = performance.now() + seconds * 1000
  let [peak, ended] = [0, false]
  const polling = setInterval(() => {
    try {
      peak = peakMib(gateway.pid)
    } catch {
      // Its /proc is gone.
      ended = true
    }
  }, POLL_MS)
  const calls: Promise<void>[] = []
  while (performance.now() < over && !ended) {
    calls.push(pay(gateway.url, payer, paid))
    await pause(EVERY_MS)
  }
  const killed = ended || group?.outOfMemory() === true
  for (const each of attackers) each.kill('SIGKILL')
  await Promise.all(calls)
  clearInterval(polling)
  await gateway.stop()
  site.close()
  site.closeAllConnections()
  while ((await group?.tryRemove()) === false) await pause(POLL_MS)
  const p99 = quantile(paid.times, 0.99)
  const line = `${seconds} s in ${memoryMb} MiB: the gateway ${killed ? 'was KILLED' : 'is alive'}, peak ${Math.round(peak)} MiB resident; ${paid.times.length} paid calls, ${paid.failures.length} failed${paid.failures.length === 0 ? '' : ` (${[...new Set(paid.failures)].join(', ')})`}, ${paid.again} made again after 503, p99 ${Math.round(p99)} ms`
  process.stdout.write(`${line}\n`)
  return killed || paid.failures.length > 0 || paid.times.length === 0 || peak > memoryMb ? 1 : 0
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    memory: { type: 'string', default: '1024' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else process.exit(await main(Number(values.seconds), Number(values.memory)))
