import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { systemClock, type Clock } from '../../core/runtime/clock.js'
import { openRedis } from '../../core/redis/client.js'
import type { RedisConnection } from '../../core/redis/connection.js'
import { type RedisLink, type RedisState, type Script, script as scriptOf } from '../../core/redis/types.js'
import { logInto, type LogLine } from './log-lines.js'

/** A redis-server of its own on a free loopback port, that keeps nothing. */
export interface TestRedis {
  readonly url: string
  readonly port: number
  /** A client without limits, for direct access. */
  readonly admin: Redis
  /** Stops the process in its tracks: connections stay and nothing is answered. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** Starts the redis-server of the PATH; `extra` are arguments such as `--requirepass`. */
export async function startRedis(extra: readonly string[] = [], password?: string): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-redis-'))
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...extra]
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await ready(child)
  const admin = new Redis({ port, host: '127.0.0.1', ...(password === undefined ? {} : { password }) })
  admin.on('error', () => undefined)
  await admin.ping()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    admin,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    close: async () => {
      admin.disconnect()
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
      child.kill('SIGKILL')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`redis-server ended: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('Ready to accept connections')) resolve()
    })
  })
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A relay in front of a server: counts what is sent, answers late, or goes away. */
export class RedisProxy {
  /** Pieces sent by clients: with one question at a time, round trips. */
  trips = 0
  /** Milliseconds added to each way back. */
  delayMs = 0
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #port = 0

  constructor(target: number) {
    this.#target = target
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`
  }

  async up(): Promise<this> {
    if (this.#server !== null) return this
    const server = createServer((client) => this.#relay(client)).listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    return this
  }

  /** Cuts what is connected and refuses what comes. */
  async down(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    for (const socket of this.#sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }

  #relay(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1')
    const keep = (socket: Socket): void => {
      this.#sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.#sockets.delete(socket)
          client.destroy()
          server.destroy()
        })
    }
    keep(client)
    keep(server)
    client.on('data', (chunk) => {
      this.trips++
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (this.delayMs === 0) client.write(chunk)
      else setTimeout(() => client.write(chunk), this.delayMs)
    })
  }
}

/** A server that speaks the protocol and answers what the test says; null answers nothing. Without HELLO, as before Redis 6. */
export async function fakeRedis(answer: (command: readonly string[]) => string | null) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      for (let parsed = command(text); parsed !== null; parsed = command(text)) {
        text = parsed.rest
        const reply = parsed.words[0]?.toUpperCase() === 'HELLO' ? "-ERR unknown command 'HELLO'" : answer(parsed.words)
        if (reply !== null) socket.write(`${reply}\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function command(text: string): { words: string[]; rest: string } | null {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (head === null) return null
  let at = head[0].length
  const words: string[] = []
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at))
    if (size === null) return null
    at += size[0].length
    const end = at + Number(size[1])
    if (text.length < end + 2) return null
    words.push(text.slice(at, end))
    at = end + 2
  }
  return { words, rest: text.slice(at) }
}

/** Opens links, with a log of their own, and relays, and closes them all at the end of a test. */
export class Links {
  readonly logs: LogLine[] = []
  readonly #open: RedisConnection[] = []
  readonly #proxies: RedisProxy[] = []

  async proxy(target: TestRedis): Promise<RedisProxy> {
    const proxy = new RedisProxy(target.port)
    this.#proxies.push(proxy)
    return await proxy.up()
  }

  /** With a clock that does not advance no command is ever too late, however busy the machine is. */
  async open(url: string, clock: Clock = systemClock): Promise<RedisConnection> {
    const link = await openRedis({
      url,
      setting: 'CAPSTAN_REDIS',
      clock,
      log: logInto(this.logs),
    })
    this.#open.push(link)
    return link
  }

  async close(): Promise<void> {
    for (const link of this.#open.splice(0)) link.close()
    for (const proxy of this.#proxies.splice(0)) await proxy.down()
    this.logs.length = 0
  }
}

/** Waits for a link to be shared, or alone. */
export async function untilShared(link: RedisLink, shared: boolean): Promise<void> {
  if (link.state().shared === shared) return
  await new Promise<void>((resolve) => {
    const stop = link.onChange((state) => {
      if (state.shared !== shared) return
      stop()
      resolve()
    })
  })
}

/** A link without a server: records the commands, and answers what the test says. */
export class ScriptedLink implements RedisLink {
  readonly commands: { script: Script | string; keys: readonly string[]; args: readonly (string | number)[] }[] = []
  shared = true
  answer: (script: Script | string, args: readonly (string | number)[]) => unknown = () => 0

  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.#run(script, keys, args)
  }

  call(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#run(name, [], args)
  }

  state(): RedisState {
    return { shared: this.shared, detail: '' }
  }

  onChange(): () => void {
    return () => undefined
  }

  close(): void {
    this.shared = false
  }

  #run(script: Script | string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.shared) return Promise.resolve(null)
    this.commands.push({ script, keys, args })
    return Promise.resolve(this.answer(script, args))
  }
}

/**
 * A link to a server that takes a test's word for the time: scripts get `nowMs` (Unix milliseconds) where they read the server's clock.
 * Keys still fall by that, so a test's time is best ahead of it.
 */
export class TimedLink implements RedisLink {
  readonly #link: RedisLink
  readonly #nowMs: () => number

  constructor(link: RedisLink, nowMs: () => number) {
    this.#link = link
    this.#nowMs = nowMs
  }

  run({ lua }: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const timed = lua.replace("redis.call('TIME')", '{ARGV[#ARGV - 1], ARGV[#ARGV]}')
    if (timed === lua) throw new Error('the script does not read the time')
    const us = Math.round(this.#nowMs() * 1000)
    return this.#link.run(scriptOf(timed), keys, [...args, Math.floor(us / 1e6), us % 1e6])
  }

  call(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#link.call(name, ...args)
  }

  state(): RedisState {
    return this.#link.state()
  }

  onChange(listener: (state: RedisState) => void): () => void {
    return this.#link.onChange(listener)
  }

  close(): void {
    this.#link.close()
  }
}

/** The time an action takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The value below which so many of a hundred lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN
}
