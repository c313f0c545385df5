import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { GuestPlugins } from '../test/support/guest-plugin.js'
import { must, startGateway, type Gateway } from './gateway/start.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/stops.js [--stops N] [--clients N] [--readers N]

Starts the gateway, loads it with clients on kept connections (default 16) that pause for 0 to 4 ms between calls, lets others (default
4) read answers of 8 MB slowly, stops it with SIGTERM, starts it again on the same data, and so on (default 100 times). Exits 1 when an
answer was cut, or a request on a kept or a new connection was reset. Connections that are refused once the port is closed are
counted apart: nothing was sent on them.
`

const BIG = 8_000_000
/** Slow readers take so much at a time and then wait so long, in milliseconds: they outlast the closing of the port. */
const BITE = 64 * 1024
const BITE_MS = 35
const LOAD_MS = 500

const { values } = parseArgs({
  options: {
    stops: { type: 'string', default: '100' },
    clients: { type: 'string', default: '16' },
    readers: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
})

class Seen {
  answers = 0
  stopping = 0
  busy = 0
  failed = 0
  cut = 0
  resetOnKept = 0
  resetOnNew = 0
  refused = 0
  read = 0

  get wrong(): number {
    return this.failed + this.cut + this.resetOnKept + this.resetOnNew
  }
}

type Outcome = 'answers' | 'stopping' | 'busy' | 'failed' | 'cut' | 'resetOnKept' | 'resetOnNew' | 'refused'

interface Call {
  readonly url: string
  readonly key: string
  readonly agent: Agent
  /** Milliseconds between two reads of its answer; 0 for none. */
  readonly biteMs: number
}

/** One call, and how it ended as its caller sees it. */
function call({ url, key, agent, biteMs }: Call): Promise<Outcome> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('refused')
      else resolve(sent.reusedSocket ? 'resetOnKept' : 'resetOnNew')
    })
    sent.on('response', (answer) => {
      let taken = 0
      answer.on('data', (bytes: Buffer) => {
        taken += bytes.length
        if (biteMs === 0 || taken < BITE) return
        taken = 0
        answer.pause()
        setTimeout(() => answer.resume(), biteMs)
      })
      let text = ''
      if (answer.statusCode !== 200) answer.on('data', (bytes: Buffer) => (text += bytes.toString()))
      answer.on('error', () => resolve('cut'))
      answer.on('end', () => resolve(outcomeOf(answer.statusCode, text)))
    })
    sent.end(JSON.stringify({ text: 'a' }))
  })
}

/** A gateway that is stopping or busy refuses a call before it begins. */
function outcomeOf(status: number | undefined, text: string): Outcome {
  if (status === 200) return 'answers'
  if (status !== 503) return 'failed'
  return text.includes('The gateway is stopping') ? 'stopping' : 'busy'
}

/** Calls on kept connections until the port is closed. */
async function client(of: Omit<Call, 'biteMs'>, seen: Seen): Promise<void> {
  for (;;) {
    const outcome = await call({ ...of, biteMs: 0 })
    seen[outcome]++
    if (outcome === 'refused') return
    await pause(Math.random() * 4)
  }
}

async function reader(of: Omit<Call, 'biteMs'>, seen: Seen): Promise<void> {
  const outcome = await call({ ...of, biteMs: BITE_MS })
  if (outcome === 'answers') seen.read++
  else seen[outcome]++
}

async function stopUnderLoad(gateway: Gateway, key: string, { clients, readers }: Plan, seen: Seen): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const apart = new Agent({ keepAlive: false })
  const running = Array.from({ length: clients }, () => client({ url: `${gateway.url}/v1/quick`, key, agent }, seen))
  await pause(LOAD_MS)
  const reading = Array.from({ length: readers }, () => reader({ url: `${gateway.url}/v1/big`, key, agent: apart }, seen))
  await gateway.stop()
  await Promise.all([...running, ...reading])
  agent.destroy()
}

interface Plan {
  readonly stops: number
  readonly clients: number
  readonly readers: number
}

async function main(plan: Plan): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'capstan-stops-'))
  const guests = new GuestPlugins()
  guests.write({ name: 'quick', providers: { quick: { run: "async () => ({ text: 'done' })" } } })
  guests.write({ name: 'big', providers: { big: { run: `async () => ({ text: 'x'.repeat(${BIG}) })` } } })
  const seen = new Seen()
  const progress = new Progress(plan.stops, 'stops')
  let running: Gateway | null = null
  let key = ''
  try {
    for (let stop = 0; stop < plan.stops; stop++) {
      progress.at(stop)
      const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', data, env: { CAPSTAN_PLUGINS: guests.folder } })
      running = gateway
      if (gateway.first !== null) key = await furnish(gateway.url, gateway.first.admin_token)
      await stopUnderLoad(gateway, key, plan, seen)
    }
    process.stdout.write(
      `${plan.stops} stops, ${plan.clients} clients, ${plan.readers} slow readers: ${seen.answers} answers and ${seen.read} slow ones seen, ${seen.stopping} refused as stopping and ${seen.busy} as busy; ${seen.cut} answers cut, ${seen.resetOnKept} requests reset on kept connections, ${seen.resetOnNew} on new ones, ${seen.failed} failed; ${seen.refused} connections refused behind the closed port\n`,
    )
    return seen.wrong === 0 && seen.read === plan.stops * plan.readers ? 0 : 1
  } finally {
    await running?.kill()
    guests.remove()
    rmSync(data, { recursive: true, force: true })
  }
}

/** A key with money and a rate for any number of calls. */
async function furnish(url: string, token: string): Promise<string> {
  await must(`${url}/admin/v1/accounts/default/grants`, token, { amount: 10_000_000, ref: 'stops' })
  return (await must<{ key: string }>(`${url}/admin/v1/accounts/default/keys`, token, { rate_limit_per_minute: 100_000 })).key
}

if (values.help) process.stdout.write(HELP)
else process.exitCode = await main({ stops: Number(values.stops), clients: Number(values.clients), readers: Number(values.readers) })
