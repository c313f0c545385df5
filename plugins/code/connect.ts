import { foreignJson } from '../../core/sdk/index.js'

/** One message of a Connect stream. */
interface Frame {
  /** The last message, with the error if there is one. */
  readonly last: boolean
  readonly message: unknown
}

const PREFIX = 5
const LAST = 0x02
const COMPRESSED = 0x01

/**
 * Encodes a message for a Connect stream in JSON (connectrpc.com/docs/protocol): a byte of flags, four of length, the
 * text.
 */
export function frameOf(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message))
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32BE(text.length, 1)
  return Buffer.concat([prefix, text])
}

/**
 * Decodes the messages of a Connect stream in JSON; throws a RangeError for one that is truncated, compressed or not
 * JSON.
 */
export function framesOf(bytes: Uint8Array): Frame[] {
  const stream = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const frames: Frame[] = []
  for (let at = 0; at < stream.length;) {
    if (at + PREFIX > stream.length) throw new RangeError('the stream is cut in a prefix')
    const flags = stream.readUInt8(at)
    const end = at + PREFIX + stream.readUInt32BE(at + 1)
    if (end > stream.length || (flags & COMPRESSED) !== 0) throw new RangeError('the stream is cut in a message, or compressed')
    frames.push({ last: (flags & LAST) !== 0, message: parsed(stream.toString('utf8', at + PREFIX, end)) })
    at = end
  }
  return frames
}

function parsed(text: string): unknown {
  try {
    return foreignJson(text === '' ? '{}' : text)
  } catch (error) {
    throw new RangeError('a message is not JSON', { cause: error })
  }
}
