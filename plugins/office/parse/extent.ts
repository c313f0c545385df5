import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { fromBufferPromise, type Entry } from 'yauzl'
import { Fault } from '../../../core/sdk/fault.js'
import { Extent, type Sheets } from './scan.js'

/** Maximum unpacked bytes: more than a real document has. */
const MOST_BYTES = 400 * 1024 * 1024
const GZIP = 0x8b1f

/** Archive parts with cells, by kind of sheet. */
const PARTS: Readonly<Record<Sheets, RegExp | null>> = {
  excel: /^xl\/worksheets\/[^/]+\.xml$/i,
  open: /^content\.xml$/,
  excel2003: null,
  gnumeric: null,
  sylk: null,
}

/**
 * The total extent of a file's sheets in cells, each from its first cell to its last row and column: the cells
 * written to a text, a page or HTML, even if nearly all are empty. Throws Fault `invalid` for an archive that unpacks
 * to an excessive size.
 */
export default async function extent(bytes: Uint8Array, kind: Sheets): Promise<{ readonly cells: number; readonly last: string }> {
  const found = new Extent(kind)
  const pattern = PARTS[kind]
  if (pattern !== null && bytes[0] === 0x50 && bytes[1] === 0x4b) await ofArchive(bytes, pattern, found)
  else await scanned(plain(bytes), found, { left: MOST_BYTES })
  return { cells: found.cells, last: found.last }
}

function plain(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const packed = bytes.length > 1 && Buffer.from(bytes.buffer, bytes.byteOffset, 2).readUInt16LE(0) === GZIP
  const all = Readable.from([bytes])
  return packed ? all.pipe(createGunzip()) : all
}

async function ofArchive(bytes: Uint8Array, pattern: RegExp, found: Extent): Promise<void> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true })
  const room = { left: MOST_BYTES }
  const all: AsyncIterable<Entry> = zip.eachEntry()
  for await (const entry of all) {
    if (!pattern.test(entry.fileName)) continue
    const stream: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry)
    await scanned(stream, found, room)
  }
}

async function scanned(stream: AsyncIterable<Uint8Array>, found: Extent, room: { left: number }): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    room.left -= chunk.length
    if (room.left < 0) throw new Fault('invalid', 'The sheets unpack to more than a document has.')
    found.read(decoder.decode(chunk, { stream: true }))
  }
  found.endSheet()
}
