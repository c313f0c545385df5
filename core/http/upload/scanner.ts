import { malformed, partHead, type PartHead } from './part-head.js'

/** Most bytes that are skipped before the first boundary and after the last. */
const MOST_AROUND = 4 * 1024
/** Most bytes of the headers of a part. */
const MOST_HEAD = 4 * 1024
const NONE = Buffer.alloc(0)
const HEAD_END = Buffer.from('\r\n\r\n')
const [CR, LF, DASH] = [0x0d, 0x0a, 0x2d]

/** Receives the bytes of a part. */
interface PartSink {
  write(bytes: Buffer): unknown
  end(): unknown
}

type ScanState = 'before' | 'head' | 'data' | 'over'

/**
 * Splits a multipart body into parts (RFC 2046, 5.1.1) as it arrives. Finds the boundary by the native search, so that no
 * content is slow, and passes bytes on as received. A line that continues after the boundary is content.
 */
export class MultipartScanner {
  readonly #delimiter: Buffer
  readonly #begin: (head: PartHead) => PartSink
  #state: ScanState = 'before'
  // The first boundary has no line break before it.
  #rest: Buffer = Buffer.from('\r\n')
  #around = 0
  #part: PartSink | null = null

  /** `begin` is called with the headers of each part and may throw. */
  constructor(boundary: string, begin: (head: PartHead) => PartSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#begin = begin
  }

  /** Processes the next bytes. Throws `malformed-request`, and what `begin` throws. */
  write(chunk: Buffer): void {
    let bytes: Buffer | null = this.#afterHeld(chunk)
    while (bytes !== null) bytes = this.#step(bytes)
  }

  /** Prepends the held bytes to a chunk, only when both may contain a boundary: a copy of each chunk costs more than the search. */
  #afterHeld(chunk: Buffer): Buffer {
    const held = this.#rest
    this.#rest = NONE
    if (held.length === 0) return chunk
    const reach = this.#delimiter.length + 2
    if ((this.#state === 'before' || this.#state === 'data') && chunk.length >= reach) {
      const at = Buffer.concat([held, chunk.subarray(0, reach)]).indexOf(this.#delimiter)
      if (at === -1 || at >= held.length) {
        this.#content(held)
        return chunk
      }
    }
    return Buffer.concat([held, chunk])
  }

  /** Ends the body. Throws `malformed-request` when the last boundary is missing. */
  end(): void {
    if (this.#state !== 'over') throw malformed('it ends before its last boundary')
  }

  /** Returns the remaining bytes for the next state; null when more bytes are needed. */
  #step(bytes: Buffer): Buffer | null {
    switch (this.#state) {
      case 'before':
      case 'data':
        return this.#toBoundary(bytes)
      case 'head':
        return this.#head(bytes)
      case 'over':
        this.#passOver(bytes.length)
        return null
    }
  }

  #toBoundary(bytes: Buffer): Buffer | null {
    const { length } = this.#delimiter
    for (let from = 0; ;) {
      const at = bytes.indexOf(this.#delimiter, from)
      if (at === -1 || at + length + 2 > bytes.length) {
        const held = at === -1 ? this.#mayBegin(bytes, from) : at
        this.#content(bytes.subarray(0, held))
        // A copy, since the sink may free the memory of the bytes it received.
        this.#rest = Buffer.from(bytes.subarray(held))
        return null
      }
      const [one, two] = [bytes[at + length], bytes[at + length + 1]]
      from = at + 1
      if (!(one === CR && two === LF) && !(one === DASH && two === DASH)) continue
      this.#content(bytes.subarray(0, at))
      this.#part?.end()
      this.#part = null
      this.#state = one === DASH ? 'over' : 'head'
      if (this.#state === 'over') this.#around = 0
      // This line break also ends the headers when there are none.
      return bytes.subarray(at + length + (one === DASH ? 2 : 0))
    }
  }

  /** The index at which the last bytes may begin a boundary, else their length. */
  #mayBegin(bytes: Buffer, from: number): number {
    const delimiter = this.#delimiter
    for (let at = Math.max(from, bytes.length - delimiter.length + 1); ; at++) {
      at = bytes.indexOf(CR, at)
      if (at === -1) return bytes.length
      if (delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at
    }
  }

  #content(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#part === null) this.#passOver(bytes.length)
    else this.#part.write(bytes)
  }

  #passOver(bytes: number): void {
    this.#around += bytes
    if (this.#around > MOST_AROUND)
      throw malformed(`more than ${MOST_AROUND} bytes are ${this.#state === 'over' ? 'after its last' : 'before its first'} boundary`)
  }

  #head(bytes: Buffer): Buffer | null {
    const end = bytes.subarray(0, MOST_HEAD).indexOf(HEAD_END)
    if (end === -1) {
      if (bytes.length >= MOST_HEAD) throw malformed(`the headers of a part are larger than ${MOST_HEAD} bytes`)
      this.#rest = Buffer.from(bytes)
      return null
    }
    this.#part = this.#begin(partHead(bytes.subarray(2, Math.max(2, end))))
    this.#state = 'data'
    return bytes.subarray(end + HEAD_END.length)
  }
}
