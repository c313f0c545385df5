import { Buffer } from 'node:buffer'
import { Writable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'

/**
 * A pipe that is read in pieces of all waiting bytes: each piece costs a write to the disk, and pieces of a socket's 64
 * KiB cost a third of the speed. The bytes are copied into two buffers used in turn, so that a piece is valid until the
 * next is requested. Memory of incoming chunks is freed once copied, since memory outside the heap counts for the
 * garbage collector: with a heap of 1 GiB at most (decision 0016) 300 MiB cost 30 collections of the whole heap.
 */
export class ArrivingBytes extends Writable implements AsyncIterable<Uint8Array> {
  #filling: Buffer
  #other: Buffer
  #filled = 0
  /** The part of a chunk that does not fit yet. */
  #left: { readonly chunk: Buffer; readonly taken: () => void } | null = null
  readonly #copied: Buffer[] = []
  readonly #nowhere = new MessageChannel().port1
  #ended = false
  #changed: () => void = () => undefined

  /** Accepts no more while `most` bytes wait; the reader may hold as many again. */
  constructor(most: number) {
    super({ decodeStrings: true })
    this.#filling = Buffer.allocUnsafeSlow(most)
    this.#other = Buffer.allocUnsafeSlow(most)
    this.#nowhere.close()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    this.#take(chunk, taken)
    this.#changed()
  }

  override _final(done: () => void): void {
    this.#ended = true
    this.#changed()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Node also destroys a finished stream, of which not all may have been read.
    if (!this.#ended) this.#filled = 0
    this.#left = null
    this.#changed()
    done(error)
  }

  /** The bytes in order; single use. Each piece is valid until the next one. Throws the error passed to `destroy`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.#free()
      if (this.#filled > 0) {
        const piece = this.#filling.subarray(0, this.#filled)
        ;[this.#filling, this.#other, this.#filled] = [this.#other, this.#filling, 0]
        const left = this.#left
        if (left !== null) this.#take(left.chunk, left.taken)
        yield piece
      } else if (this.#ended) return this.#freeAll()
      else if (this.destroyed) throw this.errored ?? new Error('the stream was destroyed')
      else await new Promise<void>((resolve) => (this.#changed = resolve))
    }
  }

  /** Copies what fits, and calls `taken` once all of the chunk was copied. */
  #take(chunk: Buffer, taken: () => void): void {
    const size = chunk.copy(this.#filling, this.#filled)
    this.#filled += size
    this.#left = size < chunk.length ? { chunk: chunk.subarray(size), taken } : null
    if (this.#left !== null) return
    this.#copied.push(chunk)
    taken()
  }

  #freeAll(): void {
    this.#copied.push(this.#filling, this.#other)
    this.#free()
  }

  /** Frees buffers by transferring them to a closed port. Slices of Node's buffer pool are skipped. */
  #free(): void {
    for (const { buffer } of this.#copied.splice(0))
      if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) this.#nowhere.postMessage(null, [buffer])
  }
}
