import { ServerResponse, type IncomingMessage } from 'node:http'
import type { ByteBudget, Holding, Peer } from '../limits/byte-budget.js'
import { addressId } from '../limits/rate.js'
import type { Turns } from '../runtime/turns.js'
import type { Exchange } from './exchange.js'

/** Bytes of a large body written to the connection at a time. */
const SLICE = 64 * 1024
/** Bytes of a body that are written before those of a body begun later: as many responses as possible end. */
const WHOLE = 1024 * 1024
/** A text above this many characters is sent as bytes: Node copies a text to join it with the headers. */
const LONG_TEXT = 16 * 1024

/** The response as a BoundedResponse, as on every server of the gateway; else null. */
export function boundedResponse({ res }: { readonly res: ServerResponse }): BoundedResponse | null {
  return res instanceof BoundedResponse ? res : null
}

/**
 * A response that accounts for its unread bytes and requires a minimum reading speed. A large body is written in slices:
 * Node does not report how much of a write the kernel accepted.
 */
export class BoundedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> implements Peer {
  /** Null before the gateway has started; answers are short then. Without turns, slices are written at once. */
  budget: ByteBudget | null = null
  turns: Turns | null = null
  exchange: Exchange | null = null
  /** The body is shared by all requests, so that it counts for none. */
  shared = false
  /** The answer did not fit into the byte budget. */
  overdrawn = false
  /** Set while a call may still need the held bytes after its caller has disconnected. */
  working = false
  #holding: Holding | null = null
  #reserved = false
  #body: Buffer | null = null
  #length = 0
  #taken = 0
  /** Unread bytes of an unfinished body. */
  #backlog = 0

  /** The bytes that this request holds of the budget, until it is closed and its call has ended. */
  get holding(): Holding | null {
    const { budget, exchange } = this
    if (this.#holding !== null || budget === null) return this.#holding
    const account = exchange?.caller?.account.id
    const address = exchange?.address ?? this.req.socket.remoteAddress ?? ''
    const holding = budget.open(account === undefined ? { address: addressId(address) } : { account })
    this.#holding = holding
    if (this.closed && !this.working) holding.release()
    else
      this.on('close', () => {
        holding.rest()
        if (!this.working) holding.release()
      })
    return holding
  }

  /** Called when the call of this response has ended. */
  worked(): void {
    this.working = false
    if (this.closed) this.#holding?.release()
  }

  /** Counts an answer before it is written. Throws `overloaded` when it does not fit. */
  reserve(bytes: number): void {
    if (bytes <= SLICE) return
    try {
      this.holding?.add(bytes)
    } catch (error) {
      this.overdrawn = true
      throw error
    }
    this.#reserved = true
  }

  /** The share of the body that the kernel has accepted, from 0 to 1. */
  get takenShare(): number {
    return this.#length === 0 ? 0 : this.#taken / this.#length
  }

  cut(): void {
    this.destroy()
  }

  /** Called when the connection closed before this queued response could be written. */
  abandon(): void {
    if (this.closed) return
    this.destroyed = true
    Reflect.set(this, '_closed', true)
    this.emit('close')
  }

  override write(
    chunk: unknown,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    callback?: (error?: Error | null) => void,
  ): boolean {
    const goesOn =
      typeof encoding === 'function' || encoding === undefined
        ? super.write(chunk, encoding ?? callback)
        : super.write(chunk, encoding, callback)
    if (!goesOn) this.#waitForDrain()
    return goesOn
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this {
    const body =
      typeof chunk === 'string' && chunk.length > LONG_TEXT ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : chunk
    if (Buffer.isBuffer(body) && body.length > SLICE) {
      const done = typeof encoding === 'function' ? encoding : callback
      if (done !== undefined) this.once('finish', done)
      this.#sendSliced(body)
      return this
    }
    if (typeof encoding === 'function' || encoding === undefined) super.end(body, encoding ?? callback)
    else super.end(body, encoding, callback)
    this.#waitForFinish(this.#reserved ? 0 : this.writableLength - this.#backlog)
    return this
  }

  #sendSliced(body: Buffer): void {
    if (!this.headersSent && !this.hasHeader('Content-Length')) this.setHeader('Content-Length', body.length)
    this.#body = body
    this.#length = body.length
    this.#waitForFinish(this.#reserved ? 0 : body.length)
    this.on('drain', BoundedResponse.#goOn)
    this.#sendNext()
  }

  #sendNext(): void {
    const body = this.#body
    if (body === null || this.destroyed) return
    const slice = body.subarray(0, SLICE)
    if (body.length <= SLICE) {
      this.#body = null
      super.end(slice)
      return
    }
    this.#body = body.subarray(SLICE)
    super.write(slice)
  }

  /** Called when the kernel has accepted a slice. Shared by all responses: thousands may wait. */
  static readonly #goOn = function (this: BoundedResponse): void {
    if (this.#body === null) return
    this.#taken += SLICE
    this.#holding?.moved(SLICE)
    const order = this.#taken < WHOLE ? 'next' : undefined
    if (this.turns === null) this.#sendNext()
    else this.turns.run(this.req.socket.remoteAddress, () => this.#sendNext(), order)
  }

  /** Accounts for bytes that were not accepted at once, and monitors the reader until the response is closed. */
  #waitForFinish(bytes: number): void {
    if (this.destroyed || (this.#body === null && this.writableLength === 0)) return
    this.#count(this.shared ? 0 : bytes)
    this.#holding?.waitFor('out', this)
  }

  /** The same for an unfinished body, until its unread bytes are accepted. */
  #waitForDrain(): void {
    const waiting = this.writableLength
    if (this.#backlog === 0)
      this.once('drain', () => {
        this.#holding?.give(this.#backlog)
        this.#backlog = 0
        if (this.#body === null) this.#holding?.rest()
      })
    if (waiting > this.#backlog) this.#count(waiting - this.#backlog)
    this.#backlog = Math.max(waiting, this.#backlog)
    this.#holding?.waitFor('out', this)
  }

  /** Destroys the response when the bytes do not fit into the budget. */
  #count(bytes: number): void {
    const { holding } = this
    try {
      holding?.add(bytes)
    } catch (error) {
      this.destroy(error instanceof Error ? error : undefined)
    }
  }
}
