import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { packageRoot } from '../core/runtime/root.js'
import { cpuMs, freePort, residentMib, start } from './gateway/process.js'
import { must, startGateway, type Gateway } from './gateway/start.js'

const HELP = `node dist/scripts/at-rest.js [--seconds N] [--after N]

Starts the gateway on an embedded ledger, makes calls and reads lists, leaves it alone for so many seconds (--after, 75), and counts
what it does in the next ones (--seconds, 300): how often its threads were woken (voluntary context switches), processor time and
resident memory. Exits 1 above 10 wake-ups a second, 0.3 % of a core or 120 MiB.
`

/** Most wake-ups of all threads a second, percent of one core, and MiB. */
const GOALS = { wakes: 10, percent: 0.3, mib: 120 }
/** Fewer than a new key may make in a minute. */
const CALLS = 50

interface Thread {
  readonly name: string
  readonly switches: number
}

/** The threads of a process by their ids. */
function threads(pid: number): Map<number, Thread> {
  const found = new Map<number, Thread>()
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8')
    const field = (name: string): string => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? ''
    found.set(Number(id), {
      name: Number(id) === pid ? `${field('Name')} (main)` : field('Name'),
      switches: Number(field('voluntary_ctxt_switches')),
    })
  }
  return found
}

/** Calls, and lists that are read on a thread of their own. */
async function use({ url, first }: Gateway): Promise<void> {
  if (first === null) throw new Error('the gateway did not start on an empty folder')
  for (let count = 0; count < CALLS; count++) await must(`${url}/v1/bench/echo`, first.key, { prompt: 'hello' })
  const reply = await fetch(`${url}/v1/calls`, { headers: { authorization: `Bearer ${first.key}` } })
  if (reply.status !== 200) throw new Error(`/v1/calls answered ${reply.status}`)
  await reply.arrayBuffer()
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    after: { type: 'string', default: '75' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else process.exitCode = await main(Number(values.seconds), Number(values.after))

async function main(seconds: number, afterSeconds: number): Promise<number> {
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  let running: Gateway | null = null
  try {
    const gateway = await startGateway({ upstream: mock.url })
    running = gateway
    await use(gateway)
    const used = threads(gateway.pid).size
    await pause(afterSeconds * 1000)
    return await watch(gateway.pid, seconds, used)
  } finally {
    await running?.stop()
    await mock.stop()
  }
}

/** Counts for so many seconds and prints; answers the exit code. `used` threads there were while the gateway was in use. */
async function watch(pid: number, seconds: number, used: number): Promise<number> {
  const before = threads(pid)
  const cpuBefore = cpuMs(pid)
  await pause(seconds * 1000)
  const after = threads(pid)
  const percent = (cpuMs(pid) - cpuBefore) / seconds / 10
  const mib = residentMib(pid)
  const rows = [...after].map(([id, { name, switches }]) => ({ id, name, wakes: (switches - (before.get(id)?.switches ?? 0)) / seconds }))
  const wakes = rows.reduce((sum, row) => sum + row.wakes, 0)
  process.stdout.write(
    `at rest for ${seconds} s: ${wakes.toFixed(1)} wake-ups/s, ${percent.toFixed(2)} % of a core, ${mib.toFixed(0)} MiB resident; ${after.size} threads, ${used} in use\n`,
  )
  for (const { id, name, wakes: own } of rows)
    if (own > 0) process.stdout.write(`  ${String(id).padEnd(8)} ${name.padEnd(16)} ${own.toFixed(2)} wake-ups/s\n`)
  return wakes <= GOALS.wakes && percent <= GOALS.percent && mib <= GOALS.mib ? 0 : 1
}
