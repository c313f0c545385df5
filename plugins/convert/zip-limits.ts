import { Fault } from '../../core/sdk/index.js'
import type { Peek } from './formats/shape.js'

const LIMITS = { files: 10_000, bytes: 512 * 1024 * 1024, ratio: 200, ratioFrom: 20 * 1024 * 1024 }
const END = Buffer.from('PK\x05\x06', 'latin1')
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LARGE = 0xffffffff

/**
 * Throws Fault `invalid` for a document whose archive would unpack to more than a document has, by its central directory (APPNOTE 4.3.12), which
 * readers go by. One whose directory is not at its end is left to the reader.
 */
export function assertUnpacks({ tail, size }: Peek): void {
  const end = tail.lastIndexOf(END)
  if (end === -1 || end + 22 > tail.length) throw refused('is damaged: its archive has no end')
  const count = tail.readUInt16LE(end + 10)
  const listBytes = tail.readUInt32LE(end + 12)
  if (count > LIMITS.files || listBytes > end) throw refused(`has more than ${LIMITS.files} parts`)
  let unpacked = 0
  for (let at = end - listBytes; at + ENTRY_BYTES <= end && tail.readUInt32LE(at) === ENTRY;) {
    const bytes = tail.readUInt32LE(at + 24)
    if (bytes === LARGE) throw refused(`has a part of more than ${LIMITS.bytes} bytes`)
    unpacked += bytes
    at += ENTRY_BYTES + tail.readUInt16LE(at + 28) + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  if (unpacked > LIMITS.bytes) throw refused(`unpacks to more than ${LIMITS.bytes} bytes`)
  if (unpacked > LIMITS.ratioFrom && unpacked > size * LIMITS.ratio) throw refused(`unpacks to more than ${LIMITS.ratio} times its size`)
}

function refused(why: string): Fault {
  return new Fault('invalid', `The file ${why}.`, { loc: ['file_url'] })
}
