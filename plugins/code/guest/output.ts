/** Offset and length of both streams: the host reads them even when the thread had to be killed. */
const HEADER = 32
const STARTED_AT = 0
const LENGTHS = 2

/** A guest's two output streams in memory shared by both threads, each truncated at `max` bytes. */
export class SharedOutput {
  readonly memory: SharedArrayBuffer
  readonly #max: number
  readonly #started: Float64Array
  readonly #lengths: Int32Array

  /** A new one of `max` bytes a stream, or another thread's. */
  constructor(from: { readonly max: number } | { readonly memory: SharedArrayBuffer }) {
    this.memory = 'memory' in from ? from.memory : new SharedArrayBuffer(HEADER + 2 * from.max)
    this.#max = (this.memory.byteLength - HEADER) / 2
    this.#started = new Float64Array(this.memory, 0, 1)
    this.#lengths = new Int32Array(this.memory, 0, HEADER / 4)
  }

  /** Unix milliseconds when the guest began to run; 0 while it waits for a thread. */
  get startedAt(): number {
    return this.#started[STARTED_AT] ?? 0
  }

  start(now: number): void {
    this.#started[STARTED_AT] = now
  }

  /** Appends text to stream 1 or 2 as far as it fits; the rest counts as truncated. */
  write(stream: 1 | 2, text: string): void {
    const at = LENGTHS + 2 * (stream - 1)
    const length = this.#lengths[at] ?? 0
    const room = this.#max - length
    // A longer text cannot fit and need not be encoded in full.
    const bytes = Buffer.from(text.length > room ? text.slice(0, room) : text)
    const part = bytes.subarray(0, room)
    new Uint8Array(this.memory, HEADER + (stream - 1) * this.#max + length, part.length).set(part)
    this.#lengths[at] = length + part.length
    if (part.length < bytes.length || text.length > room) this.#lengths[at + 1] = 1
  }

  /** The current content of a stream. */
  read(stream: 1 | 2): { readonly bytes: Uint8Array; readonly cut: boolean } {
    const at = LENGTHS + 2 * (stream - 1)
    const begin = HEADER + (stream - 1) * this.#max
    return { bytes: Uint8Array.from(new Uint8Array(this.memory, begin, this.#lengths[at] ?? 0)), cut: this.#lengths[at + 1] === 1 }
  }
}
