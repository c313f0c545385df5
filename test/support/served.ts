import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../core/runtime/root.js'
import { send, type Reply, type RequestOptions } from './gateway.js'

/** The command line of the same build as this file. */
export const CLI = fileURLToPath(new URL('../../capstan.js', import.meta.url))
export const ADMIN_TOKEN = 'adm_served-by-a-test-of-some-length'
const LINE_MS = 60_000

/** A line of JSON that `serve --json` prints. */
export interface ServedLine {
  readonly event: 'waiting' | 'ready'
  readonly url: string
  readonly admin_url: string
  readonly pid: number
  readonly reason?: string
  readonly first_run?: { readonly key: string } | null
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServedOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A data folder to start on, which stays; by default a fresh one, removed by `end`. */
  readonly data?: string
  /** What is run; `serve --json` by default. */
  readonly argv?: readonly string[]
  /** Where its log goes: kept here by default, or to a descriptor. */
  readonly stderr?: number
}

/** The environment of this process without settings that would reach into a test. */
function surroundings(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CAPSTAN|OTEL)_/.test(name)))
}

/** The command line in a process of its own, as an operator starts it; what it says is kept. */
export class Served {
  readonly data: string
  readonly ended: Promise<Ended>
  out = ''
  err = ''
  #now: ServedLine | null = null
  readonly #child: ChildProcess
  /** What is temporary of this process, and its data unless a test names a folder for it. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'capstan-served-'))
  #onChange: () => void = () => undefined

  constructor({ env = {}, data, argv = ['serve', '--json'], stderr }: ServedOptions = {}) {
    // Programs run as users of their own and must be able to reach what is below it.
    chmodSync(this.#folder, 0o711)
    this.data = data ?? join(this.#folder, 'data')
    mkdirSync(this.data, { recursive: true })
    this.#child = spawn(process.execPath, [CLI, ...argv], {
      stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
      cwd: this.data,
      env: {
        ...surroundings(),
        TMPDIR: this.#folder,
        CAPSTAN_DATA: this.data,
        CAPSTAN_PORT: '0',
        CAPSTAN_ADMIN_TOKEN: ADMIN_TOKEN,
        CAPSTAN_LOG_LEVEL: 'info',
        CAPSTAN_PLUGINS: join(packageRoot(), 'scripts', 'gateway', 'plugin'),
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        CAPSTAN_LIMIT_KEY_CONCURRENCY: '1000',
        CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '512',
        CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000000',
        CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '100000',
        ...env,
      },
    })
    const killer = () => void this.#child.kill('SIGKILL')
    process.once('exit', killer)
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#append('out', text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#append('err', text))
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        process.off('exit', killer)
        resolve({ code, signal })
        this.#onChange()
      })
    })
  }

  /** True until the process is gone. */
  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Address of the gateway, as its last line said. */
  get url(): string {
    return this.#now?.url ?? ''
  }

  get adminUrl(): string {
    return this.#now?.admin_url ?? ''
  }

  /** Everything it said, on either stream. */
  get said(): string {
    return this.out + this.err
  }

  /** The line of this event. Rejects, with what was said, when the process ends before or the time is over. */
  async line(event: ServedLine['event'], ms = LINE_MS): Promise<ServedLine> {
    const find = (): ServedLine | undefined => this.#lines().find((line) => line.event === event)
    await this.until(() => find() !== undefined, ms)
    return (this.#now = find() ?? expected())
  }

  /** Resolves when this holds of what was said. Rejects when the process ends before or the time is over. */
  async until(holds: () => boolean, ms = LINE_MS): Promise<void> {
    const giveUp = performance.now() + ms
    while (!holds()) {
      if (!this.runs) throw new Error(`it ended before: ${this.said}`)
      if (performance.now() > giveUp) throw new Error(`not within ${ms} ms: ${this.said}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100)
        this.#onChange = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** What reads its log goes away, or stops reading. */
  loseLog(how: 'gone' | 'still'): void {
    if (how === 'gone') this.#child.stderr?.destroy()
    else this.#child.stderr?.pause()
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'): void {
    this.#child.kill(name)
  }

  send(path: string, options: RequestOptions = {}): Promise<Reply> {
    return send(this.url + path, options)
  }

  /** A paid call of the capability with one upstream. */
  call(key: string, prompt = 'hello', headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('/v1/bench/echo', { key, body: { prompt }, headers })
  }

  admin(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.send(path, { method, key: ADMIN_TOKEN, ...(body === undefined ? {} : { body }) })
  }

  /** A key of an account with so many credits; its rate limit is the highest unless the order says another. */
  async account(credits: number, order: Record<string, unknown> = {}): Promise<{ id: string; key: string }> {
    const { id } = answered(await this.admin('POST', '/admin/v1/accounts', { name: 'Ada Example', credits })) as { id: string }
    const made = await this.admin('POST', `/admin/v1/accounts/${id}/keys`, { rate_limit_per_minute: 100_000, ...order })
    return { id, key: (answered(made) as { key: string }).key }
  }

  /** SIGKILL when it still runs, its end, and its folders gone. */
  async end(): Promise<void> {
    if (this.runs) this.#child.kill('SIGKILL')
    await this.ended
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #append(stream: 'out' | 'err', text: string): void {
    this[stream] += text
    this.#onChange()
  }

  #lines(): ServedLine[] {
    return this.out
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{"event"'))
      .map((line) => JSON.parse(line) as ServedLine)
  }
}

function answered(reply: Reply): unknown {
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
  return reply.json<unknown>()
}

function expected(): never {
  throw new Error('what was there a moment ago is gone')
}

/** What comes within so many milliseconds; a rejection after that. */
export async function soon<T>(what: Promise<T>, ms = 5_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms)
  })
  return await Promise.race([what, late]).finally(() => clearTimeout(timer))
}

/** Runs one command to its end. */
export async function capstan(
  argv: readonly string[],
  options: Omit<ServedOptions, 'argv'> = {},
): Promise<Ended & { out: string; err: string }> {
  const served = new Served({ ...options, argv })
  const ended = await served.ended
  await served.end()
  return { ...ended, out: served.out, err: served.err }
}

const ANSWER = JSON.stringify({ choices: [{ message: { content: 'A fixed answer.' } }] })

/** The upstream of `bench.echo`: answers at once, or when the test says so. */
export class Upstream {
  readonly #server = createServer((request, response) => {
    request.resume().on('end', () => this.#take(response))
  })
  readonly #kept: ServerResponse[] = []
  #keeps = false
  #watchers: (() => void)[] = []

  static async start(): Promise<Upstream> {
    const upstream = new Upstream()
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve))
    return upstream
  }

  /** The setting that puts it behind the capability. */
  get env(): Record<string, string> {
    return { CAPSTAN_VENDOR_MOCK_URL: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` }
  }

  /** From now on requests wait for `release`. */
  keep(): void {
    this.#keeps = true
  }

  /** Resolves when so many calls wait here. */
  async waiting(count: number): Promise<void> {
    while (this.#kept.length < count) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  /** Answers what waits, and from now on at once. */
  release(): void {
    this.#keeps = false
    for (const response of this.#kept.splice(0)) answer(response)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(response: ServerResponse): void {
    if (!this.#keeps) return answer(response)
    this.#kept.push(response)
    for (const check of this.#watchers.splice(0)) check()
  }
}

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
}
