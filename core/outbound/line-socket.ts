import type { Socket } from 'node:net'
import type { Cancel } from '../runtime/cancel.js'
import { ownLack } from '../problems/own-lack.js'
import { Fault, type Certificate, type KeepOptions, type LineSocket } from '../sdk/index.js'
import { certificateOf } from './certificate.js'
import { RequestStopped } from './exchange.js'
import type { Keeping } from './kept-sockets.js'
import { LineBuffer, tooMany } from './line-buffer.js'
import { targetFault } from './target-fault.js'
import { handshake } from './sockets.js'

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
      const failure = ownLack(cause) ?? targetFault(cause, this.#limits.maxBytes)
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
    this.#failure ??= ownLack(error) ?? targetFault(error, this.#limits.maxBytes)
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
