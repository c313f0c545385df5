import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { Transform } from 'node:stream'

const RATIO = 100
const RATIO_FROM = 1 << 20
/** Bytes by which a compressed body may exceed the limit of its content. */
const OVERHEAD = 1_024

type IntakeProblem = 'large' | 'ratio' | 'encoding' | 'corrupt'

/** A body was refused while it was read. */
export class IntakeError extends Error {
  readonly problem: IntakeProblem

  constructor(problem: IntakeProblem, message: string) {
    super(message)
    this.name = 'IntakeError'
    this.problem = problem
  }
}

/** Where decoded bytes go. */
export interface Sink {
  chunk(data: Uint8Array): void
  end(): void
  fail(error: Error): void
}

/** Decodes one reply body as it streams: at most one content encoding, with limits before and after it. */
export class BodyDecoder {
  readonly #maxBytes: number
  readonly #sink: Sink
  readonly #pause: () => void
  readonly #resume: () => void
  readonly #encoding: string
  #decoder: Transform | null = null
  #raw = 0
  #size = 0
  #over = false

  /** `encoding` is the content-encoding header, empty for none. Throws an IntakeError when it is chained or unknown. */
  constructor(options: { encoding: string; maxBytes: number; sink: Sink; pause: () => void; resume: () => void }) {
    this.#encoding = options.encoding.trim().toLowerCase()
    this.#maxBytes = options.maxBytes
    this.#sink = options.sink
    this.#pause = options.pause
    this.#resume = options.resume
    if (!['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'].includes(this.#encoding)) {
      throw new IntakeError('encoding', 'the content encoding is unknown or chained')
    }
  }

  write(chunk: Uint8Array): void {
    if (this.#over) return
    this.#raw += chunk.length
    if (this.#encoding === '' || this.#encoding === 'identity') return this.#decoded(chunk)
    if (this.#raw > this.#maxBytes + OVERHEAD) return this.#fail(new IntakeError('large', 'the body is too large'))
    this.#decoder ??= this.#open(chunk)
    if (!this.#decoder.write(chunk)) this.#pause()
  }

  end(): void {
    if (this.#over) return
    if (this.#decoder !== null) {
      this.#decoder.end()
      return
    }
    this.#over = true
    this.#sink.end()
  }

  /** Stops decoding; nothing more reaches the sink. */
  stop(): void {
    this.#over = true
    this.#decoder?.destroy()
  }

  /** Pauses or resumes the flow of decoded bytes. */
  hold(held: boolean): void {
    if (this.#decoder === null) return held ? this.#pause() : this.#resume()
    if (held) this.#decoder.pause()
    else this.#decoder.resume()
  }

  #open(first: Uint8Array): Transform {
    const decoder = this.#encoding === 'br' ? createBrotliDecompress() : this.#encoding === 'deflate' ? inflate(first) : createGunzip()
    decoder.on('data', (chunk: Buffer) => this.#decoded(chunk))
    decoder.on('drain', this.#resume)
    decoder.on('end', () => {
      if (this.#over) return
      this.#over = true
      this.#sink.end()
    })
    decoder.on('error', () => this.#fail(new IntakeError('corrupt', 'the compressed body is damaged')))
    return decoder
  }

  #decoded(chunk: Uint8Array): void {
    if (this.#over) return
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) return this.#fail(new IntakeError('large', 'the body is too large'))
    if (this.#size > RATIO_FROM && this.#size > this.#raw * RATIO) {
      return this.#fail(new IntakeError('ratio', 'the body expands more than a hundredfold'))
    }
    this.#sink.chunk(chunk)
  }

  #fail(error: IntakeError): void {
    if (this.#over) return
    this.stop()
    this.#sink.fail(error)
  }
}

/** RFC 9110 defines "deflate" as zlib, but some servers send the raw stream: the first nibble distinguishes them. */
function inflate(first: Uint8Array): Transform {
  return ((first[0] ?? 0) & 0x0f) === 0x08 ? createInflate() : createInflateRaw()
}
