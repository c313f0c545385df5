import { Fault } from '../../core/sdk/index.js'
import type { Peek } from './formats/shape.js'

const MIB = 1024 * 1024
/** `grown` is the maximum growth of all parts together, `small` the size up to which a part may have any compression ratio. */
const LIMITS = { parts: 2_000, grown: 100 * MIB, ratio: 100, small: MIB } as const
const END = Buffer.from('PK\x05\x06', 'latin1')
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LARGE = 0xffffffff
const ENCRYPTED = 1

/**
 * Throws Fault `invalid` for a document archive that is encrypted or would unpack to an excessive size, by its
 * central directory (APPNOTE 4.3.12), which readers use.
 */
export function assertUnpacks({ tail, size }: Peek): void {
  const end = tail.lastIndexOf(END)
  if (end === -1 || end + 22 > tail.length) throw refused('is damaged: its archive has no end')
  const listBytes = tail.readUInt32LE(end + 12)
  if (tail.readUInt16LE(end + 10) > LIMITS.parts || listBytes > end) throw refused(`has more than ${LIMITS.parts} parts`)
  let [parts, packed, grown] = [0, 0, 0]
  for (let at = end - listBytes; at + ENTRY_BYTES <= end && tail.readUInt32LE(at) === ENTRY; parts++) {
    const part = { packed: tail.readUInt32LE(at + 20), unpacked: tail.readUInt32LE(at + 24) }
    if ((tail.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw refused('is protected by a password')
    if (part.unpacked === LARGE) throw refused(`unpacks to more than ${LIMITS.grown / MIB} MiB beyond its size`)
    if (part.unpacked > LIMITS.small && part.unpacked > part.packed * LIMITS.ratio)
      throw refused(`has a part that unpacks to more than ${LIMITS.ratio} times its size`)
    packed += part.packed
    grown += Math.max(0, part.unpacked - part.packed)
    at += ENTRY_BYTES + tail.readUInt16LE(at + 28) + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  if (parts > LIMITS.parts) throw refused(`has more than ${LIMITS.parts} parts`)
  if (packed > size) throw refused('is damaged: the parts of its archive are larger than the archive')
  if (grown > LIMITS.grown) throw refused(`unpacks to more than ${LIMITS.grown / MIB} MiB beyond its size`)
}

function refused(why: string): Fault {
  return new Fault('invalid', `The file ${why}.`, { loc: ['file_url'] })
}
