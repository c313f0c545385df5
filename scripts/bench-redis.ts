import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { packageRoot } from '../core/runtime/root.js'
import { RedisProxy, startRedis, type TestRedis } from '../test/support/redis.js'
import { PacedCalls, type PacedFigures } from './bench/paced.js'
import { furnish } from './gateway/furnish.js'
import { freePort, start } from './gateway/process.js'
import { startGateway, type Gateway } from './gateway/start.js'

const HELP = `Measures what Redis being away costs the calls of a gateway: a gateway on a redis-server behind a proxy, beside one without Redis, both in
processes of their own and sent the same calls at the same moments. Needs redis-server.

  node dist/scripts/bench-redis.js [--rate 200] [--seconds 10] [--rounds 3]

Each round: Redis there, refused (the proxy is down), there again, hung (the process is stopped), there again; --rate calls a second to each
gateway, whether or not those before were answered, --seconds in each state. Prints p50, p99 and the slowest call of each state, what the p99
is above that of the gateway without Redis in the same seconds (best of the rounds), and the calls around each change: the slowest of them, and
how long the gateway took to notice. Exits 1 when a call failed.
`

const STATES = ['there', 'refused', 'hung'] as const
type State = (typeof STATES)[number]

/** What the p99 may be above that without Redis, in milliseconds. */
const TARGETS: Readonly<Record<State, number | null>> = { there: null, refused: 2, hung: 5 }
/** After a change; the calls of this time are no part of the state. */
const CHANGE_MS = 2_000
const NOTICED_MS = 30_000
const POLL_MS = 20
/** The first calls of a process are compiled. */
const WARM_MS = 3_000

interface Options {
  readonly rate: number
  readonly seconds: number
  readonly rounds: number
}

interface Change {
  readonly to: string
  readonly noticedMs: number
  readonly figures: PacedFigures
}

/** One gateway with Redis and one without, under the same load. */
class Pair {
  readonly #ours: PacedCalls
  readonly #control: PacedCalls
  readonly #metrics: string
  readonly #redis: TestRedis
  readonly #proxy: RedisProxy
  readonly changes: Change[] = []

  constructor(calls: { ours: PacedCalls; control: PacedCalls }, parts: { metrics: string; redis: TestRedis; proxy: RedisProxy }) {
    this.#ours = calls.ours
    this.#control = calls.control
    this.#metrics = parts.metrics
    this.#redis = parts.redis
    this.#proxy = parts.proxy
  }

  /** Figures of both over so many seconds from now. */
  async steady(seconds: number): Promise<{ ours: PacedFigures; control: PacedFigures }> {
    const from = performance.now()
    await passed(seconds * 1_000)
    const to = performance.now()
    await Promise.all([this.#ours.answered(), this.#control.answered()])
    return { ours: this.#ours.between(from, to), control: this.#control.between(from, to) }
  }

  /** Brings Redis into a state, and waits until the gateway has noticed. */
  async change(to: State): Promise<void> {
    const from = performance.now()
    if (to === 'refused') await this.#proxy.down()
    else if (to === 'hung') this.#redis.freeze()
    else {
      this.#redis.thaw()
      await this.#proxy.up()
    }
    const noticedMs = await this.#noticed(to === 'there', from)
    await passed(Math.max(0, CHANGE_MS - noticedMs))
    await this.#ours.answered()
    this.changes.push({ to, noticedMs, figures: this.#ours.between(from, performance.now()) })
  }

  /** Milliseconds until the gateway says whether its limits are shared. */
  async #noticed(shared: boolean, from: number): Promise<number> {
    while (performance.now() - from < NOTICED_MS) {
      const text = await (await fetch(this.#metrics)).text()
      if (/^capstan_redis_shared ([01])$/m.exec(text)?.[1] === (shared ? '1' : '0')) return performance.now() - from
      await passed(POLL_MS)
    }
    throw new Error(`the gateway did not notice within ${String(NOTICED_MS)} ms that Redis is ${shared ? 'there' : 'away'}`)
  }
}

const ms = (value: number): string => `${value.toFixed(2).padStart(8)} ms`

/** One round over all states; answers by how much each state's p99 is above that without Redis. */
async function round(pair: Pair, seconds: number): Promise<Readonly<Record<State, number>>> {
  const added: Record<State, number> = { there: NaN, refused: NaN, hung: NaN }
  for (const state of STATES) {
    if (state !== 'there') await pair.change(state)
    const { ours, control } = await pair.steady(seconds)
    added[state] = ours.p99 - control.p99
    const row = [ours.p50, ours.p99, ours.max, control.p50, control.p99, control.max].map(ms).join('')
    console.log(`${`Redis ${state}`.padEnd(16)}${row}   added p99 ${added[state].toFixed(2)} ms`)
    if (state !== 'there') await pair.change('there')
  }
  return added
}

function summary(rounds: readonly Readonly<Record<State, number>>[], changes: readonly Change[]): void {
  for (const state of STATES) {
    const [best = NaN, ...others] = rounds.map((added) => added[state]).toSorted((one, other) => one - other)
    const target = TARGETS[state]
    const verdict = target === null ? '' : `; target at most ${String(target)} ms: ${best <= target ? 'reached' : 'missed'}`
    const rest = others.map((each) => each.toFixed(2)).join(', ')
    console.log(`Redis ${state}: p99 above that without Redis: ${best.toFixed(2)} ms in the best round (others ${rest})${verdict}`)
  }
  for (const to of STATES) {
    const those = changes.filter((change) => change.to === to)
    const [slowest, latest] = [Math.max(...those.map(({ figures }) => figures.max)), Math.max(...those.map(({ noticedMs }) => noticedMs))]
    console.log(`${String(those.length)} changes to ${to}: slowest call ${slowest.toFixed(1)} ms, noticed within ${latest.toFixed(0)} ms`)
  }
}

async function gatewayOn(upstream: string, env: Readonly<Record<string, string>>): Promise<{ gateway: Gateway; metrics: string }> {
  const admin = await freePort()
  const gateway = await startGateway({ upstream, env: { CAPSTAN_ADMIN_PORT: String(admin), ...env } })
  return { gateway, metrics: `http://127.0.0.1:${String(admin)}/metrics` }
}

async function callsTo(gateway: Gateway, rate: number): Promise<PacedCalls> {
  const [key = ''] = await furnish(gateway, 1)
  return new PacedCalls({ url: `${gateway.url}/v1/bench/echo`, key, body: JSON.stringify({ prompt: 'hello' }) }, rate).start()
}

async function main({ rate, seconds, rounds }: Options): Promise<void> {
  const ends: (() => Promise<unknown>)[] = []
  try {
    const redis = await startRedis()
    ends.push(() => redis.close())
    const proxy = await new RedisProxy(redis.port).up()
    ends.push(() => proxy.down())
    const port = await freePort()
    const mock = join(packageRoot(), 'scripts', 'gateway', 'mock.mjs')
    const upstream = await start('mock', `http://127.0.0.1:${String(port)}`, { program: process.execPath, args: [mock, String(port)] })
    ends.push(() => upstream.stop())
    const { gateway, metrics } = await gatewayOn(upstream.url, { CAPSTAN_REDIS: proxy.url })
    ends.push(() => gateway.stop())
    const { gateway: without } = await gatewayOn(upstream.url, {})
    ends.push(() => without.stop())
    const [ours, control] = [await callsTo(gateway, rate), await callsTo(without, rate)]
    ends.push(() => Promise.all([ours.stop(), control.stop()]))
    const pair = new Pair({ ours, control }, { metrics, redis, proxy })
    await passed(WARM_MS)
    const added: Readonly<Record<State, number>>[] = []
    for (let turn = 1; turn <= rounds; turn++) {
      console.log(
        `round ${String(turn)} of ${String(rounds)}, ${String(rate)} calls a second to each: p50, p99, slowest; the same without Redis`,
      )
      added.push(await round(pair, seconds))
    }
    summary(added, pair.changes)
    await Promise.all([ours.stop(), control.stop()])
    const all = [ours, control].map((each) => each.between(0, Infinity))
    const failed = all.reduce((sum, figures) => sum + figures.failed, 0)
    console.log(`${String(failed)} of ${String(all.reduce((sum, figures) => sum + figures.calls, 0))} calls failed`)
    for (const each of [ours, control]) for (const failure of [...each.failures()].slice(0, 10)) console.log(failure)
    process.exitCode = failed === 0 ? 0 : 1
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else await main({ rate: Number(values.rate), seconds: Number(values.seconds), rounds: Number(values.rounds) })
