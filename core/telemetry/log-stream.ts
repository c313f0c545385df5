import type { Writable } from 'node:stream'

/** Most bytes of unread lines. */
const MOST_WAITING = 1024 * 1024

/**
 * The stream of log lines. Lines that cannot be written, or that arrive while a mebibyte waits, are dropped and
 * counted. Never throws, and handles every `error` event: a log line about a failed log line would fail again.
 */
export class LogStream {
  readonly #stream: Writable
  #dropped = 0

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('error', () => undefined)
  }

  /** Lines dropped since the start. */
  get dropped(): number {
    return this.#dropped
  }

  /** Writes a text of `lines` lines. */
  write(text: string, lines: number): void {
    if (this.#stream.writableLength >= MOST_WAITING) this.#dropped += lines
    else
      this.#stream.write(text, (error) => {
        if (error !== undefined && error !== null) this.#dropped += lines
      })
  }
}
