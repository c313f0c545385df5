import { Buffer } from 'node:buffer'
import { Writable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'

/**
 * Bytes that are written at one end and read at the other in the pieces they came in, while no more than so many wait between. A stream would join
 * the pieces that wait. Memory outside of the heap counts for the garbage collector: with a heap of 1 GiB at most (decision 0016) 300 MiB cost 30
 * collections of the whole heap. So a piece is good until the next is asked for, and its memory is given back then.
 */
export class ArrivingBytes extends Writable implements AsyncIterable<Uint8Array> {
  readonly #most: number
  readonly #waiting: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #taken: (() => void) | null = null
  readonly #nowhere = new MessageChannel().port1
  #changed: () => void = () => undefined

  /** Takes no more while `most` bytes wait to be read. */
  constructor(most: number) {
    super({ decodeStrings: true })
    this.#most = most
    this.#nowhere.close()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    this.#waiting.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#most) taken()
    else this.#taken = taken
    this.#changed()
  }

  override _final(done: () => void): void {
    this.#ended = true
    this.#changed()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Node destroys what has ended too, though not all of it may have been read.
    if (!this.#ended) this.#waiting.length = 0
    this.#changed()
    done(error)
  }

  /** The pieces in their order, once, each good until the next is asked for. Throws the error that this was destroyed with. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) {
        this.#bytes -= next.length
        this.#goOn()
        yield next
        this.#giveBack(next)
      } else if (this.#ended) return
      else if (this.destroyed) throw this.errored ?? new Error('the bytes were given up')
      else await new Promise<void>((resolve) => (this.#changed = resolve))
    }
  }

  /** What is moved to a port that is closed is freed. Pieces of the pool that Node cuts small buffers from are not moved. */
  #giveBack({ buffer }: Uint8Array): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) this.#nowhere.postMessage(null, [buffer])
  }

  #goOn(): void {
    const taken = this.#taken
    if (taken === null || this.#bytes >= this.#most) return
    this.#taken = null
    taken()
  }
}
