import { mongo } from 'mongoose'

/** One message of MongoDB's wire protocol. Source: the specification "MongoDB Wire Protocol", OP_MSG. */
export interface WireMessage {
  readonly id: number
  /** The id of the request that this answers, 0 in a request. */
  readonly answers: number
  readonly bytes: Buffer
  /** Name of the command (first field of its document), its collection and its whole document; null in what is no OP_MSG. */
  readonly command: WireCommand | null
}

export interface WireCommand {
  readonly name: string
  readonly collection: string
  readonly document: Readonly<Record<string, unknown>>
}

const HEADER = 16
const OP_MSG = 2013
/** The protocol's own limit of a message is 48,000,000 bytes. */
const LARGEST = 48_000_000

/** Cuts a stream of bytes into messages: a message may come in many pieces and a piece may hold many messages. */
export class WireReader {
  #pieces: Buffer[] = []
  #length = 0

  /** Messages that are complete with this piece. Throws when a length is none of the protocol. */
  read(piece: Buffer): WireMessage[] {
    this.#pieces.push(piece)
    this.#length += piece.length
    const found: WireMessage[] = []
    for (let size = this.#next(); size !== null; size = this.#next()) found.push(messageOf(this.#take(size)))
    return found
  }

  /** Size of the next message when all of it is there. */
  #next(): number | null {
    if (this.#length < 4) return null
    const first = this.#pieces[0]
    const head = first !== undefined && first.length >= 4 ? first : this.#whole()
    const size = head.readInt32LE(0)
    if (size < HEADER || size > LARGEST) throw new Error(`a message of ${size} bytes is none of the MongoDB protocol`)
    return this.#length < size ? null : size
  }

  #whole(): Buffer {
    const whole = Buffer.concat(this.#pieces)
    this.#pieces = [whole]
    return whole
  }

  #take(size: number): Buffer {
    const whole = this.#whole()
    this.#pieces = size === whole.length ? [] : [whole.subarray(size)]
    this.#length -= size
    return whole.subarray(0, size)
  }
}

function messageOf(bytes: Buffer): WireMessage {
  const command = bytes.readInt32LE(12) === OP_MSG ? commandOf(bytes) : null
  return { id: bytes.readInt32LE(4), answers: bytes.readInt32LE(8), bytes, command }
}

/** The body section (kind 0) of an OP_MSG; sections of kind 1 carry sequences of documents and may precede it. */
function commandOf(bytes: Buffer): WireCommand | null {
  let at = HEADER + 4
  while (at < bytes.length) {
    const kind = bytes.readUInt8(at)
    const size = bytes.readInt32LE(at + 1)
    if (kind === 0) return named(mongo.BSON.deserialize(bytes.subarray(at + 1, at + 1 + size)))
    if (kind !== 1) return null
    at += 1 + size
  }
  return null
}

function named(document: Record<string, unknown>): WireCommand {
  const name = Object.keys(document)[0] ?? ''
  const target = document[name]
  return { name, collection: typeof target === 'string' ? target : '', document }
}
