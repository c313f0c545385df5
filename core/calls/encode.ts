import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { GrowingBuffer } from '../threads/growing-buffer.js'

/** Characters that are encoded in one turn of the event loop, a fraction of a millisecond's work. */
const PIECE = 1 << 16
/** Characters up to which a text is sent as it is. */
const SHORT = 16 << 10
/** Long answers that are encoded at the same time. */
const AT_ONCE = 2
/** Bytes of one character at most: an escape of six letters. */
const WIDEST = 6

/** Makes answers JSON. Of long ones a piece is made in a turn of the event loop, however many there are at once. */
export class AnswerEncoder {
  #last: Promise<unknown> = Promise.resolve()
  /** Long answers that wait, by account in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #encoding = 0

  /**
   * An answer as JSON: a short one is text, so that it goes out in one piece with its headers; a longer one is its bytes in UTF-8. `value` is
   * JSON: no functions, dates or cycles. Two long answers are encoded at once, since each may be six times its text; accounts take turns.
   */
  encode(value: object, account: string): string | Promise<Buffer> {
    if (holdsLong(value)) return this.#inTurn(account, () => this.#inPieces(value))
    const text = JSON.stringify(value)
    return text.length <= SHORT ? text : this.#bytesOf(text)
  }

  /** Encodes when the account has its turn: each account's answers in their order, one account after the other. */
  async #inTurn(account: string, encode: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#encoding < AT_ONCE) this.#encoding++
    else
      await new Promise<void>((start) => {
        const queue = this.#waiting.get(account)
        if (queue === undefined) this.#waiting.set(account, [start])
        else queue.push(start)
      })
    try {
      return await encode()
    } finally {
      this.#startNext()
    }
  }

  #startNext(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#encoding--
      return
    }
    const [account, [start, ...rest]] = first
    this.#waiting.delete(account)
    // Behind the other accounts.
    if (rest.length > 0) this.#waiting.set(account, rest)
    start?.()
  }

  /** The same where `value` holds strings of several pieces, which are written apart: making JSON of one is as long a turn as encoding it. */
  async #inPieces(value: object): Promise<Buffer> {
    const long: string[] = []
    const mark = randomUUID()
    const shape = JSON.stringify(value, (_key, part: unknown) => (isLong(part) ? (long.push(part), mark) : part))
    const characters = long.reduce((sum, { length }) => sum + length, shape.length)
    const bytes = new GrowingBuffer(characters * WIDEST)
    for (const [index, text] of shape.split(mark).entries()) {
      const before = long[index - 1]
      if (before !== undefined) for await (const piece of this.#cut(before)) bytes.appendText(JSON.stringify(piece).slice(1, -1))
      for await (const piece of this.#cut(text)) bytes.appendText(piece)
    }
    return bytes.taken()
  }

  async #bytesOf(text: string): Promise<Buffer> {
    if (text.length <= PIECE) return Buffer.from(text)
    const bytes = new GrowingBuffer(text.length * WIDEST)
    for await (const piece of this.#cut(text)) bytes.appendText(piece)
    return bytes.taken()
  }

  /** A text in pieces, each in a turn of its own. The halves of a pair stay together. */
  async *#cut(text: string): AsyncGenerator<string> {
    for (let at = 0; at < text.length;) {
      await this.#turn()
      const code = text.charCodeAt(at + PIECE - 1)
      const end = at + PIECE + (code >= 0xd800 && code <= 0xdbff ? 1 : 0)
      yield text.slice(at, end)
      at = end
    }
  }

  /** The turn behind all that were asked for before. */
  #turn(): Promise<unknown> {
    return (this.#last = this.#last.then(() => turn()))
  }
}

function isLong(part: unknown): part is string {
  return typeof part === 'string' && part.length > PIECE
}

function holdsLong(value: object): boolean {
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const part of parts) if (isLong(part) || (typeof part === 'object' && part !== null && holdsLong(part))) return true
  return false
}
