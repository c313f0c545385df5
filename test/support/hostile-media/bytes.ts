import { crc32 } from 'node:zlib'

type Part = string | Uint8Array

/** Parts one after the other; a text is one byte a character. */
export const joined = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

/** Integers in little and in big endian. Those of 64 bits are BigInt. */
export const u16le = (...values: readonly number[]): Buffer => filled(2, values, (out, value, at) => out.writeUInt16LE(value, at))
export const u32le = (...values: readonly number[]): Buffer => filled(4, values, (out, value, at) => out.writeUInt32LE(value, at))
export const u64le = (...values: readonly bigint[]): Buffer => filled(8, values, (out, value, at) => out.writeBigUInt64LE(value, at))
export const u16be = (...values: readonly number[]): Buffer => filled(2, values, (out, value, at) => out.writeUInt16BE(value, at))
export const u32be = (...values: readonly number[]): Buffer => filled(4, values, (out, value, at) => out.writeUInt32BE(value, at))
export const u64be = (...values: readonly bigint[]): Buffer => filled(8, values, (out, value, at) => out.writeBigUInt64BE(value, at))

function filled<T>(width: number, values: readonly T[], write: (out: Buffer, value: T, at: number) => unknown): Buffer {
  const out = Buffer.alloc(width * values.length)
  values.forEach((value, at) => write(out, value, at * width))
  return out
}

/** A copy with other bytes at a position. */
export function patched(file: Uint8Array, at: number, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(file)
  copy.set(bytes, at)
  return copy
}

/** A chunk of RIFF; `size` is what it says of itself. */
export const chunk = (id: string, data: Uint8Array, size = data.length): Buffer =>
  joined(id, u32le(size), data, Buffer.alloc(data.length % 2))

/** An atom of QuickTime and MP4. */
export const atom = (type: string, ...parts: readonly Part[]): Buffer => {
  const data = joined(...parts)
  return joined(u32be(8 + data.length), type, data)
}

/** An element of Matroska with a size of eight bytes. */
export const element = (id: number, ...parts: readonly Part[]): Buffer => {
  const data = joined(...parts)
  return joined(elementId(id), u64be(BigInt(data.length) | (1n << 56n)), data)
}

/** The id of an element in as few bytes as it has. */
function elementId(id: number): Buffer {
  const all = u32be(id)
  return all.subarray(all.findIndex((byte) => byte !== 0))
}

/** A chunk of PNG. */
export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const named = joined(type, data)
  return joined(u32be(data.length), named, u32be(crc32(named)))
}

/** A page of Ogg with one packet of at most 65,024 bytes (RFC 3533). `flags`: 2 begins a stream, 4 ends it. */
export function oggPage(
  packet: Uint8Array,
  { serial, flags = 0, granule = 0n, sequence = 0 }: { readonly serial: number; flags?: number; granule?: bigint; sequence?: number },
): Buffer {
  const lacing = Buffer.alloc(Math.floor(packet.length / 255) + 1, 255)
  lacing[lacing.length - 1] = packet.length % 255
  const head = joined('OggS\0', Uint8Array.of(flags), u64le(granule), u32le(serial, sequence, 0), Uint8Array.of(lacing.length), lacing)
  const page = joined(head, packet)
  return patched(page, 22, u32le(oggSum(page)))
}

/** CRC-32 with the polynomial 0x04c11db7, not reflected, from 0. */
function oggSum(page: Uint8Array): number {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}
