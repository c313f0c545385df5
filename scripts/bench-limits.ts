import { RateLimiterRedis } from 'rate-limiter-flexible'
import { parseArgs } from 'node:util'
import { systemClock } from '../core/runtime/clock.js'
import { MemoryRateLimit } from '../core/limits/rate.js'
import { RedisRateLimit } from '../core/limits/redis-rate.js'
import { PLACE, placeArgs, type PlaceOrder } from '../core/limits/shared-rate.js'
import { integers, NOW, type RedisLink, script, type Script } from '../core/redis/types.js'
import { Links, startRedis } from '../test/support/redis.js'

const HELP = `Measures the limit of a key on Redis: a point and a place of a call in one round trip, by the gateway's script and by RateLimiterRedis of
rate-limiter-flexible with a script that does the same. Needs redis-server.

  node dist/scripts/bench-limits.js [--seconds 3] [--rounds 3] [--in-flight 64]
`

/** The library's script and a place behind its point. Reply: what the library wants (points, ms left), place, running. */
const COUNT = `${NOW}
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.call('incrby', KEYS[1], ARGV[1])
local ttl = redis.call('pttl', KEYS[1])
local admitted = consumed <= tonumber(ARGV[6])
${PLACE}
return {consumed, ttl, place, running}
`

/** A client of the library, which passes one key and four arguments: the order of a place is set beside them just before. */
class PlacedClient {
  readonly #link: RedisLink
  #count: Script | null = null
  #order: PlaceOrder | null = null

  constructor(link: RedisLink) {
    this.#link = link
  }

  defineCommand(_name: string, { lua }: { readonly lua: string }): void {
    this.#count = script(lua)
  }

  /** For the query in the same turn. */
  order(order: PlaceOrder): void {
    this.#order = order
  }

  async rlflxIncr([key = '', points = '', seconds = '', most = '']: readonly string[]): Promise<number[]> {
    if (this.#count === null) throw new TypeError('the limiter did not define its script')
    const args = [points, seconds, ...placeArgs(this.#order), most]
    const reply = integers(await this.#link.run(this.#count, [key, this.#order?.set ?? key], args), 4)
    // As the own script goes on alone where Redis is too slow; on a busy machine it is now and then.
    return reply ?? [0, 0, -1, 0]
  }
}

type Take = (key: string, order: PlaceOrder) => Promise<unknown>

async function perSecond(take: Take, inFlight: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let taken = 0
  const caller = async (number: number): Promise<void> => {
    while (performance.now() < until) {
      const key = `key:${String(number % 8)}`
      await take(key, { set: `places:${key}`, id: `${String(number)}`, most: 1_000, leaseMs: 20_000 })
      taken++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, number) => caller(number)))
  return taken / seconds
}

async function main(seconds: number, rounds: number, inFlight: number): Promise<void> {
  const redis = await startRedis()
  const links = new Links()
  try {
    const link = await links.open(redis.url)
    const own = new RedisRateLimit({ link, clock: systemClock, local: new MemoryRateLimit(systemClock), replicas: () => 1 })
    const client = new PlacedClient(link)
    const limits = { points: 1_000_000_000, duration: 60, keyPrefix: 'bench', storeClient: client, customIncrTtlLuaScript: COUNT }
    const limiter = new RateLimiterRedis(limits)
    const takes: Record<string, Take> = {
      'own script': (key, order) => own.take(key, limits.points, order),
      RateLimiterRedis: async (key, order) => {
        client.order(order)
        await limiter.consume(key)
      },
    }
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      await redis.admin.flushall()
      const rates: number[] = []
      for (const [name, take] of Object.entries(takes)) {
        rates.push(await perSecond(take, inFlight, seconds))
        console.log(`${name.padEnd(18)} ${(rates.at(-1) ?? 0).toFixed(0).padStart(7)} points with a place a second`)
      }
      ratios.push((rates[1] ?? 0) / (rates[0] ?? 1))
    }
    ratios.sort((one, other) => one - other)
    console.log(`RateLimiterRedis beside the own script, median of ${String(rounds)} rounds: ${(ratios[rounds >> 1] ?? 0).toFixed(3)}`)
  } finally {
    await links.close()
    await redis.close()
  }
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    'in-flight': { type: 'string', default: '64' },
    help: { type: 'boolean' },
  },
})
if (values.help === true) console.log(HELP)
else await main(Number(values.seconds), Number(values.rounds), Number(values['in-flight']))
