import { randomUUID } from 'node:crypto'
import type { Clock } from '../runtime/clock.js'
import { IdleThread, ThreadFailure } from '../runtime/idle-thread.js'
import type { Encoded, ToEncode } from './encode-worker.js'

/** Characters of an answer, or of one of its strings, above which it is encoded in the thread. */
const LONG = 1 << 16
/** Characters that are sent there at a time. */
const PIECE = 1 << 18
/** Characters up to which an answer is sent as text. */
const SHORT = 16 << 10

/** Makes answers JSON: long ones in a thread of their own, so that the event loop waits for none of them. */
export class AnswerEncoder {
  readonly #thread: IdleThread<ToEncode, Encoded>
  /** Long answers that wait, by account in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #encoding = false

  constructor(clock: Clock, script = new URL('./encode-worker.js', import.meta.url)) {
    this.#thread = new IdleThread(clock, { script, name: 'large answers' })
  }

  /**
   * An answer as JSON: a short one is text, so that it goes out in one piece with its headers; a longer one is its bytes in UTF-8. `value` is
   * JSON: no functions, dates or cycles. Long answers are encoded one at a time, since each may be six times its text; accounts take turns.
   * `grown` is called with the bytes so far as a long one grows; when it throws, the rest is not encoded.
   */
  encode(value: object, account: string, grown: (bytes: number) => void = () => undefined): string | Promise<Buffer> {
    const behind = (): Promise<Buffer> => this.#inTurn(account, () => this.#inThread(value, grown))
    if (holdsLong(value)) return behind()
    const text = JSON.stringify(value)
    if (text.length <= SHORT) return text
    return text.length <= LONG ? Promise.resolve(Buffer.from(text)) : behind()
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** Encodes when the account has its turn: each account's answers in their order, one account after the other. */
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
    // Behind the other accounts.
    if (rest.length > 0) this.#waiting.set(account, rest)
    start?.()
  }

  /** A piece is sent when the one before it was encoded. A thread that fails must not cost a result that was paid for. */
  async #inThread(value: object, grown: (bytes: number) => void): Promise<Buffer> {
    try {
      const long: string[] = []
      const mark = randomUUID()
      const shape = JSON.stringify(value, (_key, part: unknown) => (isLong(part) ? (long.push(part), mark) : part))
      await this.#thread.ask({ kind: 'begin', most: long.reduce((sum, { length }) => sum + length, shape.length) })
      for (const [index, text] of shape.split(mark).entries()) {
        await this.#send('string', long[index - 1] ?? '', grown)
        await this.#send('json', text, grown)
      }
      const bytes = await this.#thread.ask({ kind: 'end' })
      if (typeof bytes === 'number') throw new Error('the thread for large answers answered something else')
      return Buffer.from(bytes)
    } catch (error) {
      if (error instanceof ThreadFailure) return Buffer.from(JSON.stringify(value))
      throw error
    }
  }

  /** The halves of a pair stay together. */
  async #send(kind: 'string' | 'json', text: string, grown: (bytes: number) => void): Promise<void> {
    for (let at = 0; at < text.length;) {
      const code = text.charCodeAt(at + PIECE - 1)
      const end = at + PIECE + (code >= 0xd800 && code <= 0xdbff ? 1 : 0)
      const size = await this.#thread.ask({ kind, text: text.slice(at, end) })
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
