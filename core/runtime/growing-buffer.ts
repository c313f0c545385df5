/** Largest growth step in bytes: until then the memory doubles. */
const LARGEST_STEP = 1024 * 1024

/** A buffer for an unknown number of bytes: it grows in place without a copy, and can be transferred to a thread. */
export class GrowingBuffer {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  #length = 0

  /** `most` is the capacity in bytes; memory is allocated only as they are added. */
  constructor(most: number) {
    this.buffer = new ArrayBuffer(0, { maxByteLength: most })
    this.#bytes = new Uint8Array(this.buffer)
  }

  /** Adds bytes. Throws a RangeError above `most`. */
  append(bytes: Uint8Array): void {
    this.#grow(this.#length + bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Adds a text in UTF-8. Throws a RangeError above `most`. */
  appendText(text: string): void {
    const length = Buffer.byteLength(text)
    this.#grow(this.#length + length)
    this.#length += Buffer.from(this.buffer, this.#length, length).write(text)
  }

  /** The bytes added so far, without a copy. */
  filled(): Buffer {
    return Buffer.from(this.buffer, 0, this.#length)
  }

  /**
   * A copy of the bytes added so far; the memory here is freed. V8 does not count the pages of a resizable buffer, so it does not collect one
   * in time: a buffer that is kept, or becomes garbage, must have a fixed size or be freed.
   */
  taken(): ArrayBuffer {
    const copy = this.buffer.slice(0, this.#length)
    this.free()
    return copy
  }

  /** Frees the memory at once, without a collection. */
  free(): void {
    this.#length = 0
    this.buffer.resize(0)
  }

  #grow(length: number): void {
    if (length > this.buffer.byteLength)
      this.buffer.resize(Math.min(this.buffer.maxByteLength, Math.max(length, this.#length + Math.min(this.#length, LARGEST_STEP))))
  }
}
