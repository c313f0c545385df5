import type { Writable } from 'node:stream'

/** Bytes of lines that may wait for whoever reads the log. */
const MOST_WAITING = 1024 * 1024
/** Lines that may wait do so for so long, in milliseconds, or until they are so many characters. */
const LATER_MS = 20
const LATER_CHARACTERS = 16 * 1024

/**
 * The stream that log lines go to, for as long as it takes them: what it fails to write, and what comes while a mebibyte waits, is dropped
 * and counted. Never throws, and leaves no `error` event without a listener: a log line about a log line that failed would fail again.
 */
export class LogStream {
  readonly #stream: Writable
  #dropped = 0
  #waiting = ''
  #lines = 0

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('error', () => undefined)
  }

  /** Lines dropped since the start. */
  get dropped(): number {
    return this.#dropped
  }

  write(line: string): void {
    this.#waiting += line
    this.#lines++
    this.flush()
  }

  /** Writes a line with others of the next milliseconds: a write of its own for each request would cost more than its text. */
  writeLater(line: string): void {
    if (this.#lines === 0) setTimeout(this.#due, LATER_MS).unref()
    this.#waiting += line
    this.#lines++
    if (this.#waiting.length >= LATER_CHARACTERS) this.flush()
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#lines === 0) return
    const [lines, count] = [this.#waiting, this.#lines]
    this.#waiting = ''
    this.#lines = 0
    this.#put(lines, count)
  }

  readonly #due = (): void => this.flush()

  #put(text: string, lines: number): void {
    if (this.#stream.writableLength >= MOST_WAITING) this.#dropped += lines
    else
      this.#stream.write(text, (error) => {
        if (error !== undefined && error !== null) this.#dropped += lines
      })
  }
}
