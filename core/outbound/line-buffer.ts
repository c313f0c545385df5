import { Fault } from '../sdk/index.js'

const LF = 0x0a
const CR = 0x0d

/** Splits bytes into lines, bounded in total and per line. */
export class LineBuffer {
  readonly #maxBytes: number
  readonly #maxLine: number
  /** Chunks not yet joined to the rest: joined once per answer, not once per packet. */
  #pending: Buffer[] = []
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes of the rest that contain no line end. */
  #searched = 0
  #length = 0
  #received = 0

  constructor(limits: { readonly maxBytes: number; readonly maxLine: number }) {
    this.#maxBytes = limits.maxBytes
    this.#maxLine = limits.maxLine
  }

  /** Bytes not read yet. */
  get length(): number {
    return this.#length
  }

  /** Adds bytes. Throws Fault `blocked` when there were too many in total. */
  push(chunk: Buffer): void {
    this.#received += chunk.length
    if (this.#received > this.#maxBytes) throw tooMany(this.#maxBytes)
    this.#length += chunk.length
    this.#pending.push(chunk)
  }

  /** The next line without its end, or null while it is not complete. Throws Fault `blocked` when it is too long. */
  line(): string | null {
    this.#join()
    const end = this.#rest.indexOf(LF, this.#searched)
    this.#searched = end === -1 ? this.#rest.length : 0
    const last = end === -1 ? this.#rest.length : end
    const length = this.#rest[last - 1] === CR ? last - 1 : last
    if (length > this.#maxLine) throw new Fault('blocked', `the server sent a line of more than ${this.#maxLine} bytes, which is the limit`)
    if (end === -1) return null
    const line = decode(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(end + 1)
    this.#length = this.#rest.length
    return line
  }

  /** Everything that is left. */
  rest(): string {
    this.#join()
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    this.#searched = 0
    this.#length = 0
    return decode(rest)
  }

  #join(): void {
    if (this.#pending.length === 0) return
    this.#rest = Buffer.concat([this.#rest, ...this.#pending])
    this.#pending = []
  }
}

/** The Fault for a server that sends more than it may. */
export function tooMany(maxBytes: number): Fault {
  return new Fault('blocked', `the server sent more than ${maxBytes} bytes, which is the limit`)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
