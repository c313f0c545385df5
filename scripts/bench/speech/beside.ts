import { setTimeout as pause } from 'node:timers/promises'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { post } from '../../gateway/start.js'
import { row, type Say } from '../files/figure.js'
import { best, type Figures, figuresOf, ratio } from '../neighbours/figures.js'
import { longTalk } from './talks.js'
import { withSpeech, written, type SpeechWorld } from './world.js'

const PATH = '/v1/search'
/** A search begins each 50 ms, for 15 s: 300 of a round. */
const EVERY_MS = 50
const ROUND_MS = 15_000
const ROUNDS = 3
/** Most times the p99 alone. */
const MOST = 2
const SOUND_S = 60
/** Conversions and transcriptions at a time, of each. */
const OF_EACH = 4
/** Before the first measured search they all have begun. */
const LEAD_MS = 2_000

/** Searches at a steady pace, alone and beside eight recordings that are converted and written down all the time: the best p99 of three rounds of each. */
export async function benchBeside(say: Say): Promise<void> {
  const engine = await httpServer((_request, response) => {
    const results = Array.from({ length: 10 }, (_, at) => ({
      url: `https://example.com/${String(at)}`,
      title: `Page ${String(at)}`,
      content: 'Words.',
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ query: 'x', results }))
  })
  const env = { CAPSTAN_VENDOR_SEARXNG_URL: engine.url, CAPSTAN_WATERFALL_SEARCH_SERP: 'searxng' }
  try {
    await withSpeech(env, async (world) => {
      const file = written(world.folder, 'talk.wav', (await longTalk(world, SOUND_S)).wav)
      // What is loaded once is loaded then.
      await work(world, file)
      await searches(world)
      const quiet = await rounds(world)
      const stop = begun(world, file)
      await pause(LEAD_MS)
      const beside = await rounds(world)
      const done = await stop()
      const unit = 'ms'
      say(row(`search alone, p99 of ${String(quiet.calls)}`, quiet.p99, { unit }))
      say(
        row(`search beside ${String(2 * OF_EACH)} conversions and transcriptions (${String(done)} ended meanwhile), p99`, beside.p99, {
          unit,
        }),
      )
      say(row('that many times the p99 alone', ratio(beside, quiet), { most: MOST, unit: 'times' }))
      say(row('searches that failed', quiet.failures + beside.failures, { most: 0, unit: 'searches' }))
    })
  } finally {
    await engine.close()
  }
}

async function rounds(world: SpeechWorld): Promise<Figures> {
  let found = await searches(world)
  for (let round = 1; round < ROUNDS; round++) found = best(found, await searches(world))
  return found
}

/** A round of searches, whether or not earlier ones were answered. */
async function searches({ url, key }: SpeechWorld): Promise<Figures> {
  const start = performance.now()
  const all: Promise<{ readonly ms: number; readonly ok: boolean }>[] = []
  for (let due = 0; due < ROUND_MS; due += EVERY_MS) {
    await pause(Math.max(0, start + due - performance.now()))
    const began = performance.now()
    const query = `words ${String(start)} ${String(due)}`
    all.push(post(url + PATH, key, { query, mode: 'serp' }).then(({ status }) => ({ ms: performance.now() - began, ok: status === 200 })))
  }
  const answers = await Promise.all(all)
  const times = answers.filter(({ ok }) => ok).map(({ ms }) => ms)
  return figuresOf({ times, failures: answers.length - times.length })
}

/** Keeps eight at work; the returned function ends that and returns the number of calls done. */
function begun(world: SpeechWorld, file: string): () => Promise<number> {
  let [going, done] = [true, 0]
  const turns = Array.from({ length: OF_EACH }, async () => {
    while (going) {
      await work(world, file)
      done += 2
    }
  })
  return async () => {
    going = false
    await Promise.all(turns)
    return done
  }
}

/** A conversion and a transcription side by side. */
async function work(world: SpeechWorld, file: string): Promise<void> {
  const address = world.address(file)
  await Promise.all([
    world.call('/v1/files/convert', { file_url: address, source_format: 'wav', target_format: 'mp3' }),
    world.call('/v1/speech/transcribe', { audio_url: address, language: 'en' }),
  ])
}
