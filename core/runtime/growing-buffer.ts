/** Bytes by which the memory grows at most: until then it doubles. */
const LARGEST_STEP = 1024 * 1024

/** Memory that bytes of unknown number are put together in: it grows in place, without a copy, and can be moved to another thread. */
export class GrowingBuffer {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  #length = 0

  /** `most` is the number of bytes that may come; memory is taken only as they do. */
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

  /** The bytes that have come, which are not copied. */
  filled(): Buffer {
    return Buffer.from(this.buffer, 0, this.#length)
  }

  /**
   * A copy of the bytes that have come; the memory here is freed. V8 does not count the pages of a buffer that grows, so that nothing makes it collect
   * one in time: what lives on, or ends as garbage, has to be of a fixed size or be freed.
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
