import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { figuresOf, type Figures } from './figures.js'

/** A kind of quiet call: what is posted, and how often. */
interface Kind {
  readonly name: string
  readonly path: string
  readonly everyMs: number
  /** `page` is the address of a small page, `sound` that of a second of sound. */
  body(page: string, sound: string): unknown
}

/** What a neighbour does. */
export const kinds: readonly Kind[] = [
  { name: 'echo', path: '/v1/bench/echo', everyMs: 100, body: () => ({ prompt: 'hello' }) },
  { name: 'page, fast', path: '/v1/scrape', everyMs: 200, body: (url) => ({ url, mode: 'fast' }) },
  { name: 'page, browser', path: '/v1/scrape', everyMs: 1_000, body: (url) => ({ url, mode: 'standard' }) },
  { name: 'Python', path: '/v1/code/execute', everyMs: 500, body: () => ({ code: 'print(1)' }) },
  { name: 'JavaScript', path: '/v1/code/execute', everyMs: 500, body: () => ({ code: 'console.log(1)', language: 'javascript' }) },
  {
    name: 'sound',
    path: '/v1/files/convert',
    everyMs: 4_000,
    body: (_page, sound) => ({ file_url: sound, source_format: 'wav', target_format: 'mp3' }),
  },
]

/** Where a neighbour calls, and the addresses of the page that it reads and of the sound that it converts. */
export interface Quiet {
  readonly url: string
  readonly key: string
  readonly page: string
  readonly sound: string
}

/** What the calls of each kind came to, and the first words of each different failure. */
export interface CallFigures {
  readonly figures: ReadonlyMap<string, Figures>
  readonly failures: ReadonlySet<string>
}

/** A call that takes longer has failed. */
const PATIENCE_MS = 40_000

/** Tries of a first call, and the time between them: a gateway that has just started may be short of processor time. */
const TRIES = 20
const BETWEEN_MS = 500

/** Makes a call of each kind, one after the other, and each once more: what is loaded once is loaded then. Throws when one keeps failing. */
export async function warm(quiet: Quiet): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  for (const kind of [...kinds, ...kinds]) {
    let said: string | null = ''
    for (let round = 0; round < TRIES && said !== null; round++) {
      if (round > 0) await pause(BETWEEN_MS)
      said = (await call(quiet, kind, agent)).said
    }
    if (said !== null) throw new Error(`${kind.name} does not work here: ${said}`)
  }
  agent.destroy()
}

/** Calls each kind at its pace for so many seconds, whether or not earlier calls were answered, and waits for all answers. */
export async function neighbour(quiet: Quiet, seconds: number): Promise<CallFigures> {
  const agent = new Agent({ keepAlive: true })
  const failures = new Set<string>()
  const figures = await Promise.all(
    kinds.map(async (kind): Promise<[string, Figures]> => {
      const answers = await paced(kind.everyMs, seconds * 1_000, () => call(quiet, kind, agent))
      for (const { said } of answers) if (said !== null) failures.add(`${kind.name}: ${said}`)
      const times = answers.filter(({ said }) => said === null).map(({ ms }) => ms)
      return [kind.name, figuresOf({ times, failures: answers.length - times.length })]
    }),
  )
  agent.destroy()
  return { figures: new Map(figures), failures }
}

/** Starts something every so often for so long, and gives what came of all of it. */
async function paced<T>(everyMs: number, forMs: number, begin: () => Promise<T>): Promise<T[]> {
  const begun: Promise<T>[] = []
  const start = performance.now()
  for (let due = 0; due < forMs; due += everyMs) {
    await pause(Math.max(0, start + due - performance.now()))
    begun.push(begin())
  }
  return Promise.all(begun)
}

interface Answer {
  readonly ms: number
  /** Why it failed, or null. */
  readonly said: string | null
}

function call({ url, key, page, sound }: Quiet, kind: Kind, agent: Agent): Promise<Answer> {
  const began = performance.now()
  return new Promise((resolve) => {
    const done = (said: string | null): void => resolve({ ms: performance.now() - began, said })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = request(url + kind.path, { method: 'POST', agent, headers, signal: AbortSignal.timeout(PATIENCE_MS) })
    sent.on('error', ({ message }) => done(message))
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', ({ message }) => done(message))
      response.on('end', () => done(fault(response.statusCode ?? 0, Buffer.concat(chunks).toString())))
    })
    sent.end(JSON.stringify(kind.body(page, sound)))
  })
}

/** Why an answer is a failure, or null: a program that ran and ended otherwise than with 0 is one too. */
function fault(status: number, body: string): string | null {
  if (status !== 200) return `${status} ${/"detail":"([^"]*)"/.exec(body)?.[1] ?? body.slice(0, 120)}`
  const code = /"exit_code":(-?\d+|null)/.exec(body)?.[1]
  return code === undefined || code === '0' ? null : `exit code ${code}`
}
