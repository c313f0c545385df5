import type { Socket } from 'node:net'
import { ownShortage } from '../problems/own-shortage.js'
import type { Cancel } from '../runtime/cancel.js'
import { type Certificate, Fault, type KeepOptions, type LineSocket } from '../sdk/index.js'
import { RequestStopped } from './exchange.js'
import type { Keeping } from './kept-sockets.js'
import { certificateOf, handshake } from './sockets.js'
import { targetFault } from './target-fault.js'

/** RFC 5321 4.5.3.1.4 allows a command 512 bytes; with CRLF this is the longest of any extension. */
const LONGEST_WRITE = 4_094
/** Line breaks, and NUL, which ends a string in other programs. */
const BREAKS = /[\r\n\0]/

interface LineLimits {
  readonly maxBytes: number
  readonly maxLine: number
}

interface LineSocketOptions extends LineLimits {
  readonly host: string
  readonly port: number
  /** Ends the connection. */
  readonly cancel: Cancel
  /** State of a connection that was kept. */
  readonly resumed?: string | null
  /** Takes over a connection that is left open; without it the connection is closed. */
  readonly onKeep?: (socket: Socket, keeping: Keeping) => void
}

/** Lines over a connected socket. Reads only on request, so that unsolicited data stays in the buffers of the server and the kernel. */
export class PulledLines implements LineSocket {
  readonly host: string
  readonly port: number
  readonly resumed: string | null
  readonly #limits: LineLimits
  readonly #onKeep: LineSocketOptions['onKeep']
  readonly #forget: () => void
  readonly #buffer: LineBuffer
  #socket: Socket
  #failure: Error | null = null
  #reading = false
  #wake: () => void = () => undefined
  readonly #changed = (): void => this.#wake()
  readonly #errored = (error: Error): void => this.#fail(error)

  constructor(socket: Socket, { host, port, cancel, resumed = null, onKeep, ...limits }: LineSocketOptions) {
    this.host = host
    this.port = port
    this.resumed = resumed
    this.#onKeep = onKeep
    this.#limits = limits
    this.#buffer = new LineBuffer(limits)
    this.#socket = socket
    this.#watch(socket)
    this.#forget = cancel.onCancel((reason) => this.#fail(new RequestStopped(reason)))
    socket.once('close', this.#forget)
  }

  readLine(): Promise<string | null> {
    return this.#alone(async () => {
      for (;;) {
        const line = this.#buffer.line()
        if (line !== null) return line
        if (await this.#more()) continue
        if (this.#buffer.length === 0) return null
        throw Object.assign(new Error('the connection ended within a line'), { code: 'ECONNRESET' })
      }
    })
  }

  readAll({ maxBytes = this.#limits.maxBytes }: { readonly maxBytes?: number } = {}): Promise<string> {
    return this.#alone(async () => {
      do if (this.#buffer.length > maxBytes) throw tooMany(maxBytes)
      while (await this.#more())
      return this.#buffer.rest()
    })
  }

  async write(text: string): Promise<void> {
    checkLine(text)
    await this.#guarded(() => sent(this.#socket, `${text}\r\n`))
  }

  startTls(): Promise<Certificate> {
    return this.#alone(async () => {
      const plain = this.#socket
      // Data injected before the handshake must not be taken for data received through TLS (RFC 3207 6).
      if (this.#buffer.length > 0 || plain.readableLength > 0) throw new Fault('blocked', 'the server sent more before TLS began')
      this.#unwatch(plain)
      const secured = await handshake(plain, this.host, { strict: false, alpn: [] })
      secured.once('close', () => plain.destroy())
      this.#socket = secured
      this.#watch(secured)
      if (this.#failure !== null) throw this.#failure
      const certificate = certificateOf(secured)
      if (certificate === null) throw new Fault('missing', 'the host presents no certificate')
      return certificate
    })
  }

  close(): void {
    this.#fail(new Fault('broken', 'the connection was closed here'))
  }

  keep(ms: number, { state = '', closingLine }: KeepOptions = {}): void {
    if (closingLine !== undefined) checkLine(closingLine)
    const socket = this.#socket
    const unread = this.#buffer.length > 0 || socket.readableLength > 0
    if (this.#onKeep === undefined || this.#failure !== null || this.#reading || unread || socket.destroyed || socket.readableEnded)
      return this.close()
    this.#failure = new Fault('broken', 'the connection was handed over')
    this.#unwatch(socket)
    this.#forget()
    socket.off('close', this.#forget)
    this.#onKeep(socket, { ms, state, closingLine })
  }

  /** Reads more bytes; false at the end of the connection. */
  async #more(): Promise<boolean> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const chunk: unknown = this.#socket.read()
      if (Buffer.isBuffer(chunk)) {
        this.#buffer.push(chunk)
        return true
      }
      if (this.#socket.readableEnded) return false
      if (this.#socket.destroyed) throw Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' })
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** One at a time: concurrent readers would get each other's lines. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reading) throw new TypeError('a connection was read while another read was pending')
    this.#reading = true
    try {
      return await this.#guarded(work)
    } finally {
      this.#reading = false
    }
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure
    try {
      return await work()
    } catch (error) {
      // Our own reason for closing takes precedence over the socket error that it caused.
      const cause = this.#failure ?? error
      const failure = ownShortage(cause) ?? targetFault(cause, this.#limits.maxBytes)
      this.#failure = failure
      this.#socket.destroy()
      throw failure
    }
  }

  #watch(socket: Socket): void {
    socket.on('readable', this.#changed).on('end', this.#changed).on('close', this.#changed).on('error', this.#errored)
  }

  #unwatch(socket: Socket): void {
    socket.off('readable', this.#changed).off('end', this.#changed).off('close', this.#changed).off('error', this.#errored)
  }

  #fail(error: Error): void {
    this.#failure ??= ownShortage(error) ?? targetFault(error, this.#limits.maxBytes)
    this.#socket.destroy()
    this.#wake()
  }
}

/** Throws Fault `invalid` for what is not one line. */
function checkLine(text: string): void {
  if (BREAKS.test(text)) throw new Fault('invalid', 'a line for a server must not contain line breaks or NUL')
  if (Buffer.byteLength(text) > LONGEST_WRITE) throw new Fault('invalid', `a line for a server has at most ${LONGEST_WRITE} bytes`)
}

function sent(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    socket.write(text, (error) => {
      if (error === null || error === undefined) resolve()
      else reject(error)
    }),
  )
}

const LF = 0x0a
const CR = 0x0d

/** Splits bytes into lines, bounded in total and per line. */
export class LineBuffer {
  readonly #maxBytes: number
  readonly #maxLine: number
  /** Chunks not yet joined to the rest: joined once per answer, not once per packet. */
  #pending: Buffer[] = []
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes of the rest that contain no line end. */
  #searched = 0
  #length = 0
  #received = 0

  constructor(limits: { readonly maxBytes: number; readonly maxLine: number }) {
    this.#maxBytes = limits.maxBytes
    this.#maxLine = limits.maxLine
  }

  /** Bytes not read yet. */
  get length(): number {
    return this.#length
  }

  /** Adds bytes. Throws Fault `blocked` when there were too many in total. */
  push(chunk: Buffer): void {
    this.#received += chunk.length
    if (this.#received > this.#maxBytes) throw tooMany(this.#maxBytes)
    this.#length += chunk.length
    this.#pending.push(chunk)
  }

  /** The next line without its end, or null while it is not complete. Throws Fault `blocked` when it is too long. */
  line(): string | null {
    this.#join()
    const end = this.#rest.indexOf(LF, this.#searched)
    this.#searched = end === -1 ? this.#rest.length : 0
    const last = end === -1 ? this.#rest.length : end
    const length = this.#rest[last - 1] === CR ? last - 1 : last
    if (length > this.#maxLine) throw new Fault('blocked', `the server sent a line of more than ${this.#maxLine} bytes, which is the limit`)
    if (end === -1) return null
    const line = decode(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(end + 1)
    this.#length = this.#rest.length
    return line
  }

  /** Everything that is left. */
  rest(): string {
    this.#join()
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    this.#searched = 0
    this.#length = 0
    return decode(rest)
  }

  #join(): void {
    if (this.#pending.length === 0) return
    this.#rest = Buffer.concat([this.#rest, ...this.#pending])
    this.#pending = []
  }
}

/** The Fault for a server that sends more than it may. */
function tooMany(maxBytes: number): Fault {
  return new Fault('blocked', `the server sent more than ${maxBytes} bytes, which is the limit`)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
