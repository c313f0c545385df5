import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { packageRoot } from '../../../core/runtime/root.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { post } from '../../gateway/start.js'
import { row, type Say } from '../files/figure.js'
import { best, type Figures, figuresOf, ratio } from '../neighbours/figures.js'
import { withSounds, type SoundWorld } from './world.js'

const EVERY_MS = 50
const MOST = 2
const AT_ONCE = 8
/** Before the first measured search they all have begun. */
const LEAD_MS = 2_000
const SECONDS = 10

/** Searches at a steady pace, alone and beside eight sounds that are made all the time: the best p99 of the rounds of each. */
export async function benchBeside(say: Say, { rounds, roundMs }: { readonly rounds: number; readonly roundMs: number }): Promise<void> {
  const results = Array.from({ length: 10 }, (_, at) => ({
    url: `https://example.com/${String(at)}`,
    title: `Page ${String(at)}`,
    content: 'Words.',
  }))
  const engine = await httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ query: 'x', results }))
  })
  try {
    await withSounds({ CAPSTAN_VENDOR_SEARXNG_URL: engine.url, CAPSTAN_WATERFALL_SEARCH_SERP: 'searxng' }, async (world) => {
      // What is loaded once is loaded then.
      await world.make('rain', SECONDS)
      await searches(world, roundMs)
      let [quiet, beside, done]: [Figures | null, Figures | null, number] = [null, null, 0]
      // In turns, so that what else the machine does counts in both.
      for (let round = 0; round < rounds; round++) {
        quiet = bestOf(quiet, await searches(world, roundMs))
        const stop = begun(world)
        await pause(LEAD_MS)
        beside = bestOf(beside, await searches(world, roundMs))
        done += await stop()
      }
      if (quiet === null || beside === null) throw new Error('there was no round')
      say(row(`search alone, p99 of ${String(quiet.calls)}`, quiet.p99, { unit: 'ms' }))
      say(row(`search beside ${String(AT_ONCE)} sounds at once (${String(done)} ended meanwhile), p99`, beside.p99, { unit: 'ms' }))
      say(row('that many times the p99 alone', ratio(beside, quiet), { most: MOST, unit: 'times' }))
      say(row('searches that failed', quiet.failures + beside.failures, { most: 0, unit: 'searches' }))
    })
  } finally {
    await engine.close()
  }
}

function bestOf(found: Figures | null, next: Figures): Figures {
  return found === null ? next : best(found, next)
}

/** A round of searches, whether or not earlier ones were answered. */
async function searches({ url, key }: SoundWorld, roundMs: number): Promise<Figures> {
  const start = performance.now()
  const all: Promise<{ readonly ms: number; readonly ok: boolean }>[] = []
  for (let due = 0; due < roundMs; due += EVERY_MS) {
    await pause(Math.max(0, start + due - performance.now()))
    const began = performance.now()
    const query = `words ${String(start)} ${String(due)}`
    all.push(
      post(`${url}/v1/search`, key, { query, mode: 'serp' }).then(({ status }) => ({ ms: performance.now() - began, ok: status === 200 })),
    )
  }
  const answers = await Promise.all(all)
  const times = answers.filter(({ ok }) => ok).map(({ ms }) => ms)
  return figuresOf({ times, failures: answers.length - times.length })
}

/** Keeps eight at work; the returned function ends that and returns how many were made. */
function begun({ url, key }: SoundWorld): () => Promise<number> {
  const script = join(packageRoot(), 'dist', 'scripts', 'bench', 'sounds', 'loader.js')
  const loader = spawn(process.execPath, [script, url, key, String(AT_ONCE), String(SECONDS)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(loader.stdout)
  const ended = once(loader, 'exit')
  return async () => {
    loader.stdin.end()
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error('a sound was not made')
    return Number(await said)
  }
}
