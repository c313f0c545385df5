import type { Format } from './contract.js'

interface Size {
  readonly width: number
  readonly height: number
}

/** Width and height from a picture's header, in pixels, for a PDF in points; null for other data or without a size. */
export function sizeOf(bytes: Buffer, format: Format): Size | null {
  return READERS[format](bytes)
}

const READERS: Readonly<Record<Format, (bytes: Buffer) => Size | null>> = { png, jpeg, webp, pdf }

/** The first chunk is IHDR (PNG, 11.2.2). */
function png(bytes: Buffer): Size | null {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Segments up to the frame header, SOF0 to SOF15 without DHT, JPG and DAC (ITU-T T.81, B.2.2). */
function jpeg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt8(at + 1)
    if (bytes.readUInt8(at) !== 0xff) return null
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += marker === 0xff ? 1 : 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return null
}

/** RIFF with a first chunk VP8X, VP8L or VP8 (RFC 9649, 2.5 to 2.7; RFC 6386, 9.1). */
function webp(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return chunk === 'VP8 ' ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff } : null
}

const BOX = /^\/MediaBox\s*\[\s*(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s*\]/

/** The first uncompressed MediaBox; compressed streams are not searched (ISO 32000-1, 14.11.2). */
function pdf(bytes: Buffer): Size | null {
  const at = bytes.indexOf('/MediaBox')
  const found = at === -1 ? null : BOX.exec(bytes.toString('latin1', at, at + 100))
  if (found === null) return null
  const [left = 0, bottom = 0, right = 0, top = 0] = found.slice(1).map(Number)
  const size = { width: Math.round(right - left), height: Math.round(top - bottom) }
  return size.width > 0 && size.height > 0 ? size : null
}
