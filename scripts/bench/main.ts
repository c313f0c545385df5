import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../core/runtime/root.js'
import { furnish } from '../gateway/furnish.js'
import { startGateway, type Gateway } from '../gateway/start.js'
import { compare, oneEngine } from './beside.js'
import { load, median, type Figures, type Target } from './load.js'
import { measureOpen, type OpenOptions } from './open.js'
import { startPortkey } from './portkey.js'
import { freePort, start, type Started } from '../gateway/process.js'
import { paidCall } from '../gateway/sender.js'
import { gatewayFigures } from './single.js'

/** What the slow upstream takes, in milliseconds. */
const SLOW_MS = 60

const HELP = `npm run bench -- [--seconds N] [--rounds N] [--quick] [--beside FOLDER | --access-line | --open-loop [--rate N]]

Loads the upstream itself, a plain Koa relay, Portkey and this gateway in turn, on this machine, in one run, and prints the
figures with their ratios. The gateway runs with key check, limiter, ledger (SQLite, synced to disk), history and metrics on.
With --beside, this build, the one in the folder of another checkout and the relay are loaded in turn with search calls over one engine, for
ten rounds of six turns of 500 calls unless --rounds and --turns say otherwise, each round on new processes of both.
With --access-line, this build at log level info, its log read from a pipe, and the same build at level warn are loaded in turn: what the
line of each request costs.
With --open-loop, an upstream that takes ${SLOW_MS} ms, the relay and this gateway are called --rate times a second (500), by the clock, whether or not
earlier calls are answered; each latency counts from the moment for which its call was scheduled. Printed is what p50 and p99 are above
those of the upstream itself at the same rate, for three rounds unless --rounds says otherwise, and the gateway's best round.
`

const body = JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'hello' }] })
const json = { 'content-type': 'application/json' }

function targets(mock: Started, relay: Started, peer: Started | null, capstan: Gateway & { keys: readonly string[] }): Target[] {
  const path = '/v1/chat/completions'
  return [
    { ...mock, name: 'upstream', requests: [{ method: 'POST', path, headers: json, body }] },
    { ...relay, name: 'relay', requests: [{ method: 'POST', path, headers: json, body }] },
    ...(peer === null
      ? []
      : [
          {
            ...peer,
            name: 'portkey',
            requests: [
              {
                method: 'POST' as const,
                path,
                headers: { ...json, authorization: 'Bearer x', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${mock.url}/v1` },
                body,
              },
            ],
          },
        ]),
    {
      ...capstan,
      name: 'capstan',
      requests: capstan.keys.map((key) => ({
        method: 'POST' as const,
        path: '/v1/bench/echo',
        headers: { ...json, authorization: `Bearer ${key}` },
        body: JSON.stringify({ prompt: 'hello' }),
      })),
    },
  ]
}

/** The upstream, which takes so many milliseconds, and the plain relay before it. */
async function startServers(delayMs: number): Promise<{ mock: Started; relay: Started }> {
  const file = (...names: string[]): string => join(packageRoot(), 'scripts', ...names)
  const mockPort = await freePort()
  const relayPort = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${mockPort}`, {
    program: process.execPath,
    args: [file('gateway', 'mock.mjs'), String(mockPort), String(delayMs)],
  })
  const relay = await start('relay', `http://127.0.0.1:${relayPort}`, {
    program: process.execPath,
    args: [file('bench', 'relay.mjs'), String(relayPort), mock.url],
  })
  return { mock, relay }
}

async function measure(delayMs: number, options: { seconds: number; rounds: number }): Promise<Map<string, Figures>> {
  const { mock, relay } = await startServers(delayMs)
  const portkey = await startPortkey()
  const peer = 'peer' in portkey ? portkey.peer : null
  if ('reason' in portkey) process.stdout.write(`portkey is not measured: ${portkey.reason}\n`)
  const gateway = await startGateway({ upstream: mock.url })
  const capstan = { ...gateway, keys: await furnish(gateway, 8) }
  const rounds = new Map<string, Figures[]>()
  try {
    const all = targets(mock, relay, peer, capstan)
    for (const target of all) await load(target, { duration: Math.min(3, options.seconds) })
    for (let round = 0; round < options.rounds; round++)
      for (const target of all)
        rounds.set(target.name, [...(rounds.get(target.name) ?? []), await load(target, { duration: options.seconds })])
  } finally {
    await Promise.all([mock.stop(), relay.stop(), peer?.stop(), capstan.stop()])
  }
  return new Map([...rounds].map(([name, figures]) => [name, median(figures)]))
}

function print(title: string, figures: ReadonlyMap<string, Figures>): void {
  const relay = figures.get('relay')
  const peer = figures.get('portkey')
  const bare = figures.get('upstream')
  process.stdout.write(
    `\n${title}\n| target | requests/s | p50 ms | p99 ms | CPU ms a request | resident MiB | x portkey | x upstream | p99 / relay | failures |\n|---|---|---|---|---|---|---|---|---|---|\n`,
  )
  for (const [name, row] of figures) {
    const cells = [
      name,
      row.perSecond.toFixed(0),
      row.p50,
      row.p99,
      row.cpuMsPerRequest.toFixed(3),
      row.mib.toFixed(0),
      ratio(row.perSecond, peer?.perSecond),
      ratio(row.perSecond, bare?.perSecond),
      ratio(row.p99, relay?.p99),
      row.failures,
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}

function ratio(value: number, of: number | undefined): string {
  return of === undefined || of === 0 ? '-' : (value / of).toFixed(2)
}

/** One of two gateways that are compared: its name, and how it differs from this build at log level warn. */
interface Compared {
  readonly name: string
  readonly root?: string
  readonly level?: string
}

/** Two gateways behind one upstream, in alternating rounds. */
async function measureBeside(here: Compared, there: Compared, options: { turns: number; rounds: number }): Promise<void> {
  const { mock, relay } = await startServers(0)
  const begin = async ({ level = 'warn', root }: Compared) => {
    const env = { CAPSTAN_LOG_LEVEL: level, ...oneEngine(mock.url) }
    const gateway = await startGateway({ upstream: mock.url, env, discardsLog: true, ...(root === undefined ? {} : { root }) })
    return { ...gateway, keys: await furnish(gateway, 8) }
  }
  try {
    await compare({ here: () => begin(here), there: () => begin(there), names: [here.name, there.name] }, relay, options)
  } finally {
    await Promise.all([mock.stop(), relay.stop()])
  }
}

/** The upstream that takes its time, the relay and the gateway, called at a fixed rate. */
async function measureAtRate(options: OpenOptions): Promise<void> {
  const { mock, relay } = await startServers(SLOW_MS)
  const gateway = await startGateway({ upstream: mock.url })
  try {
    const bare = { path: '/v1/chat/completions', headers: json, body }
    const keys = await furnish(gateway, 8)
    await measureOpen(
      [
        { ...mock, name: 'upstream', requests: [bare] },
        { ...relay, name: 'relay', requests: [bare] },
        { ...gateway, name: 'capstan', requests: keys.map(paidCall) },
      ],
      options,
    )
  } finally {
    await Promise.all([mock.stop(), relay.stop(), gateway.stop()])
  }
}

function machine(): string {
  return `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}; client, upstream and servers share them.`
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    turns: { type: 'string', default: '6' },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    beside: { type: 'string' },
    'access-line': { type: 'boolean', default: false },
    'open-loop': { type: 'boolean', default: false },
    rate: { type: 'string', default: '500' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else if (values.beside !== undefined || values['access-line']) {
  const options = { turns: Number(values.turns), rounds: Number(values.rounds ?? 10) }
  if (values.beside === undefined) await measureBeside({ name: 'level info', level: 'info' }, { name: 'level warn' }, options)
  else await measureBeside({ name: 'this build' }, { name: resolve(values.beside), root: values.beside }, options)
} else if (values['open-loop']) {
  const options = { rate: Number(values.rate), seconds: Number(values.seconds), rounds: Number(values.rounds ?? 3) }
  process.stdout.write(
    `${machine()} Open loop of ${options.rate} calls/s at an upstream of ${SLOW_MS} ms, ${options.rounds} rounds of ${options.seconds} s each.\n\n`,
  )
  await measureAtRate(options)
} else {
  const options = values.quick ? { seconds: 3, rounds: 1 } : { seconds: Number(values.seconds), rounds: Number(values.rounds ?? 3) }
  process.stdout.write(`${machine()} 50 connections, ${options.rounds} rounds of ${options.seconds} s.\n`)
  print('Instant upstream', await measure(0, options))
  print(`Upstream that takes ${SLOW_MS} ms`, await measure(SLOW_MS, options))
  await gatewayFigures()
}
