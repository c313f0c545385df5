import { Agent, request } from 'node:http'

/** Where calls go to, and what they are. */
export interface PacedTarget {
  readonly url: string
  readonly key: string
  readonly body: string
}

/** What came of the calls that began between two moments. */
export interface PacedFigures {
  readonly calls: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

interface Timed {
  /** By the clock of `performance.now`. */
  readonly began: number
  readonly ms: number
  readonly failure: string | null
}

const LONGEST_MS = 30_000

/** Calls that begin at a fixed rate, whether or not those before were answered, until they are stopped. */
export class PacedCalls {
  readonly #target: PacedTarget
  readonly #everyMs: number
  readonly #agent = new Agent({ keepAlive: true })
  readonly #timed: Timed[] = []
  readonly #running = new Set<Promise<void>>()
  #next = performance.now()
  #timer: NodeJS.Timeout | null = null

  constructor(target: PacedTarget, perSecond: number) {
    this.#target = target
    this.#everyMs = 1_000 / perSecond
  }

  start(): this {
    this.#next = performance.now()
    this.#tick()
    return this
  }

  /** Begins no more, and waits for those that run. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.all(this.#running)
    this.#agent.destroy()
  }

  /** Resolves when every call that began before this moment has ended. */
  async answered(): Promise<void> {
    await Promise.all([...this.#running])
  }

  between(from: number, to: number): PacedFigures {
    const those = this.#timed.filter(({ began }) => began >= from && began < to)
    const sorted = those.map(({ ms }) => ms).toSorted((one, other) => one - other)
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
    const failed = those.filter(({ failure }) => failure !== null).length
    return { calls: those.length, failed, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? NaN }
  }

  /** What the calls that failed ended with, each once. */
  failures(): ReadonlySet<string> {
    return new Set(this.#timed.flatMap(({ failure }) => failure ?? []))
  }

  #tick(): void {
    for (; this.#next <= performance.now(); this.#next += this.#everyMs) {
      const call = this.#call().finally(() => this.#running.delete(call))
      this.#running.add(call)
    }
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, this.#next - performance.now()))
  }

  async #call(): Promise<void> {
    const began = performance.now()
    const failure = await this.#answer()
    this.#timed.push({ began, ms: performance.now() - began, failure })
  }

  #answer(): Promise<string | null> {
    const { url, key, body } = this.#target
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request(url, { method: 'POST', agent: this.#agent, headers, timeout: LONGEST_MS }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', (error) => resolve(String(error)))
        reply.on('end', () =>
          resolve(reply.statusCode === 200 ? null : `${String(reply.statusCode)} ${Buffer.concat(chunks).toString().slice(0, 300)}`),
        )
      })
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${String(LONGEST_MS)} ms`)))
      sent.on('error', (error) => resolve(String(error)))
      sent.end(body)
    })
  }
}
