import type { Writable } from 'node:stream'

/** Bytes of lines that may wait for whoever reads the log. */
const MOST_WAITING = 1024 * 1024

/**
 * The stream that log lines go to, for as long as it takes them: what it fails to write, and what comes while a mebibyte waits, is dropped
 * and counted. Never throws, and leaves no `error` event without a listener: a log line about a log line that failed would fail again.
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

  /** Writes the text of so many lines. */
  write(text: string, lines: number): void {
    if (this.#stream.writableLength >= MOST_WAITING) this.#dropped += lines
    else
      this.#stream.write(text, (error) => {
        if (error !== undefined && error !== null) this.#dropped += lines
      })
  }
}
