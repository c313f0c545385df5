import { Buffer } from 'node:buffer'
import { Writable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'

/**
 * Bytes that are written at one end and read at the other, in pieces as large as wait there: each costs a write to the disk, and pieces of a socket's
 * 64 KiB cost a third of the speed. They are copied between two buffers that are used in turn, so that a piece is good until the next is asked for.
 * What came in gives its memory back once it is copied, since memory outside of the heap counts for the garbage collector: with a heap of 1 GiB at most
 * (decision 0016) 300 MiB cost 30 collections of the whole heap.
 */
export class ArrivingBytes extends Writable implements AsyncIterable<Uint8Array> {
  #filling: Buffer
  #other: Buffer
  #filled = 0
  /** Has no room yet. */
  #left: { readonly chunk: Buffer; readonly taken: () => void } | null = null
  readonly #copied: Buffer[] = []
  readonly #nowhere = new MessageChannel().port1
  #ended = false
  #changed: () => void = () => undefined

  /** Takes no more while `most` bytes wait to be read; as many more may be with the reader. */
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
    // Node destroys what has ended too, though not all of it may have been read.
    if (!this.#ended) this.#filled = 0
    this.#left = null
    this.#changed()
    done(error)
  }

  /** The bytes in their order, once, each piece good until the next is asked for. Throws the error that this was destroyed with. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.#giveBack()
      if (this.#filled > 0) {
        const piece = this.#filling.subarray(0, this.#filled)
        ;[this.#filling, this.#other, this.#filled] = [this.#other, this.#filling, 0]
        const left = this.#left
        if (left !== null) this.#take(left.chunk, left.taken)
        yield piece
      } else if (this.#ended) return this.#giveBackAll()
      else if (this.destroyed) throw this.errored ?? new Error('the bytes were given up')
      else await new Promise<void>((resolve) => (this.#changed = resolve))
    }
  }

  /** Copies what has room, and calls `taken` once all of it had. */
  #take(chunk: Buffer, taken: () => void): void {
    const size = chunk.copy(this.#filling, this.#filled)
    this.#filled += size
    this.#left = size < chunk.length ? { chunk: chunk.subarray(size), taken } : null
    if (this.#left !== null) return
    this.#copied.push(chunk)
    taken()
  }

  #giveBackAll(): void {
    this.#copied.push(this.#filling, this.#other)
    this.#giveBack()
  }

  /** What is moved to a port that is closed is freed; whoever wrote it may still look at it until now. Pieces of the pool that Node cuts small buffers from are not moved. */
  #giveBack(): void {
    for (const { buffer } of this.#copied.splice(0))
      if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) this.#nowhere.postMessage(null, [buffer])
  }
}
