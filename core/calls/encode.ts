import { randomUUID } from 'node:crypto'
import type { Clock } from '../runtime/clock.js'
import { IdleThread, ThreadFailure } from '../runtime/idle-thread.js'
import type { Encoded, ToEncode } from './encode-worker.js'

/** An answer with more characters, in all or in one string, is encoded in the thread. */
const LONG = 1 << 16
/** Characters sent to the thread at a time. */
const PIECE = 1 << 18
/** An answer of up to this many characters is sent as text. */
const SHORT = 16 << 10

/** Encodes answers as JSON: long ones in a separate thread, so that they do not block the event loop. */
export class AnswerEncoder {
  readonly #thread: IdleThread<ToEncode, Encoded>
  /** Waiting long answers, by account in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #encoding = false

  constructor(clock: Clock, script = new URL('./encode-worker.js', import.meta.url)) {
    this.#thread = new IdleThread(clock, { script, name: 'large answers' })
  }

  /**
   * Encodes an answer: a short one as text, so that it is written together with its headers; a longer one as UTF-8
   * bytes. `value` is JSON: no functions, dates or cycles. Long answers are encoded one at a time, since each may take
   * six times its text; accounts take turns. `grown` is called with the bytes so far; when it throws, encoding stops.
   */
  encode(value: object, account: string, grown: (bytes: number) => void = () => undefined): string | Promise<Buffer> {
    const inThread = (): Promise<Buffer> => this.#inTurn(account, () => this.#inThread(value, grown))
    if (holdsLong(value)) return inThread()
    const text = JSON.stringify(value)
    if (text.length <= SHORT) return text
    return text.length <= LONG ? Promise.resolve(Buffer.from(text)) : inThread()
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** Encodes in the account's turn: round robin over accounts, in order within one. */
  async #inTurn(account: string, encode: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#encoding)
      await new Promise<void>((start) => {
        const queue = this.#waiting.get(account)
        if (queue === undefined) this.#waiting.set(account, [start])
        else queue.push(start)
      })
    this.#encoding = true
    try {
      return await encode()
    } finally {
      this.#thread.rest()
      this.#startNext()
    }
  }

  #startNext(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#encoding = false
      return
    }
    const [account, [start, ...rest]] = first
    this.#waiting.delete(account)
    // After the other accounts.
    if (rest.length > 0) this.#waiting.set(account, rest)
    start?.()
  }

  /** Sends each piece once the previous one is encoded. If the thread fails, encodes here: the result is paid for. */
  async #inThread(value: object, grown: (bytes: number) => void): Promise<Buffer> {
    try {
      const long: string[] = []
      const mark = randomUUID()
      const shape = JSON.stringify(value, (_key, part: unknown) => (isLong(part) ? (long.push(part), mark) : part))
      await this.#thread.request({ kind: 'begin', most: long.reduce((sum, { length }) => sum + length, shape.length) })
      for (const [index, text] of shape.split(mark).entries()) {
        await this.#send('string', long[index - 1] ?? '', grown)
        await this.#send('json', text, grown)
      }
      const bytes = await this.#thread.request({ kind: 'end' })
      if (typeof bytes === 'number') throw new Error('unexpected reply of the thread for large answers')
      return Buffer.from(bytes)
    } catch (error) {
      if (error instanceof ThreadFailure) return Buffer.from(JSON.stringify(value))
      throw error
    }
  }

  /** Never splits a surrogate pair. */
  async #send(kind: 'string' | 'json', text: string, grown: (bytes: number) => void): Promise<void> {
    for (let at = 0; at < text.length;) {
      const code = text.charCodeAt(at + PIECE - 1)
      const end = at + PIECE + (code >= 0xd800 && code <= 0xdbff ? 1 : 0)
      const size = await this.#thread.request({ kind, text: text.slice(at, end) })
      if (typeof size === 'number') grown(size)
      at = end
    }
  }
}

function isLong(part: unknown): part is string {
  return typeof part === 'string' && part.length > LONG
}

function holdsLong(value: object): boolean {
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const part of parts) if (isLong(part) || (typeof part === 'object' && part !== null && holdsLong(part))) return true
  return false
}
