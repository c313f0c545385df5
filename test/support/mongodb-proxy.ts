import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { WireReader, type WireCommand, type WireMessage } from './mongodb-wire.js'

/**
 * What happens to a command: `cut-request` ends the connection before the server receives it, `cut-reply` after the server carried it
 * out, `hang` lets the server carry it out and never answers, a function is given the answer to deliver when it likes.
 */
export type Fault = 'cut-request' | 'cut-reply' | 'hang' | ((deliver: () => void) => void)

export interface Rule {
  readonly matches: (command: WireCommand) => boolean
  readonly fault: Fault
  /** How many matching commands pass before; none by default. */
  readonly skip?: number
  /** How many are hit; one by default. */
  readonly times?: number
  /** Called with each command that a fault hit. */
  readonly onHit?: (command: WireCommand) => void
}

interface Armed extends Rule {
  left: number
  toSkip: number
  hits: number
}

/** What a driver says by itself: to find the server, to keep the connection, to tidy up. */
const HOUSEKEEPING: ReadonlySet<string> = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'endSessions',
  'killCursors',
  'buildInfo',
  'buildinfo',
])

/** True for commands that read or write data. */
export function isWork({ name }: WireCommand): boolean {
  return !HOUSEKEEPING.has(name)
}

/** A proxy before a MongoDB server that understands the messages and can lose, delay or withhold single ones. */
export class MongoProxy {
  readonly #server: Server
  readonly #target: { host: string; port: number }
  readonly #sockets = new Set<Socket>()
  #rules: Armed[] = []
  #seen: WireCommand[] = []
  #watching = false

  private constructor(server: Server, target: { host: string; port: number }) {
    this.#server = server
    this.#target = target
    server.on('connection', (client) => this.#relay(client))
  }

  /** Listens on a free port of the loopback address, before the server at this address. */
  static async before(uri: string): Promise<MongoProxy> {
    const [, host = '', port = '27017'] = /^mongodb:\/\/(?:[^@/]*@)?([^:/,?]+)(?::(\d+))?/.exec(uri) ?? []
    const proxy = new MongoProxy(createServer(), { host, port: Number(port) })
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The address with the proxy in the server's place; `directConnection` keeps the driver from going round it. */
  uri(of: string): string {
    const { port } = this.#server.address() as AddressInfo
    const moved = of.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/?]+/, `$1127.0.0.1:${port}`)
    return moved.includes('directConnection=') ? moved : `${moved}${moved.includes('?') ? '&' : '?'}directConnection=true`
  }

  /** Arms a rule; the returned function says how often it struck and takes it away. */
  arm(rule: Rule): () => number {
    const armed: Armed = { ...rule, left: rule.times ?? 1, toSkip: rule.skip ?? 0, hits: 0 }
    this.#rules.push(armed)
    return () => {
      this.#rules = this.#rules.filter((each) => each !== armed)
      return armed.hits
    }
  }

  /** Commands that pass while the work runs, in order. */
  async watch(work: () => Promise<unknown>): Promise<WireCommand[]> {
    this.#seen = []
    this.#watching = true
    try {
      await work()
      return this.#seen
    } finally {
      this.#watching = false
    }
  }

  /** Ends every connection that is open now. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cutAll()
    await closed
  }

  #faultOf(command: WireCommand | null): Fault | null {
    if (command === null) return null
    if (this.#watching && isWork(command)) this.#seen.push(command)
    const rule = this.#rules.find((each) => each.left > 0 && each.matches(command))
    if (rule === undefined) return null
    if (rule.toSkip > 0) {
      rule.toSkip -= 1
      return null
    }
    rule.left -= 1
    rule.hits += 1
    rule.onHit?.(command)
    return rule.fault
  }

  #relay(client: Socket): void {
    const server = connect(this.#target)
    const pair = [client, server]
    const end = () => pair.forEach((socket) => socket.destroy())
    for (const socket of pair) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    /** Faults of requests whose answers are not there yet. */
    const pending = new Map<number, Fault>()
    client.on(
      'data',
      each((message) => {
        const fault = this.#faultOf(message.command)
        if (fault === 'cut-request') return end()
        if (fault !== null) pending.set(message.id, fault)
        server.write(message.bytes)
      }),
    )
    server.on(
      'data',
      each((message) => {
        const fault = pending.get(message.answers)
        pending.delete(message.answers)
        if (fault === 'cut-reply') return end()
        if (fault === 'hang') return
        const deliver = () => void client.write(message.bytes)
        if (typeof fault === 'function') fault(deliver)
        else deliver()
      }),
    )
  }
}

/** A listener that reads messages one at a time, and stops at bytes that are none. */
function each(work: (message: WireMessage) => void): (this: Socket, piece: Buffer) => void {
  const reader = new WireReader()
  return function (piece) {
    try {
      for (const message of reader.read(piece)) if (!this.destroyed) work(message)
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
