import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { Fault } from '../../../core/sdk/fault.js'
import { encrypted } from './read.js'

const MAX_FILES = 2_000
const MAX_BYTES = 100 * 1024 * 1024
const MAX_RATIO = 100
/** Smaller files may have any compression ratio. */
const SMALL = 1024 * 1024

/** Files of an archive by name. */
export type Unpacked = ReadonlyMap<string, Buffer>

/**
 * Unpacks a zip archive (PKWARE APPNOTE 6.3). The number of files, declared sizes and ratios are checked before
 * anything is unpacked, actual sizes during unpacking. Nested archives are not unpacked. Throws Fault `invalid` for
 * an archive beyond the limits, encrypted, or with names outside itself.
 */
export async function unzip(bytes: Uint8Array): Promise<Unpacked> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true })
  if (zip.entryCount > MAX_FILES) throw tooMuch(`it holds more than ${MAX_FILES} files`)
  const files = new Map<string, Buffer>()
  for (const entry of await entriesOf(zip)) files.set(entry.fileName, await contentOf(zip, entry))
  return files
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  const names = new Set<string>()
  let total = 0
  const all: AsyncIterable<Entry> = zip.eachEntry()
  for await (const entry of all) {
    const { fileName, compressedSize, uncompressedSize, generalPurposeBitFlag } = entry
    if ((generalPurposeBitFlag & 1) === 1) throw encrypted()
    if (names.has(fileName)) throw new Fault('invalid', 'The file is broken: it holds two files of one name.')
    names.add(fileName)
    total += uncompressedSize
    if (total > MAX_BYTES) throw tooMuch(`it unpacks to more than ${MAX_BYTES} bytes`)
    if (uncompressedSize > SMALL && uncompressedSize > compressedSize * MAX_RATIO)
      throw tooMuch(`a part of it unpacks to more than ${MAX_RATIO} times its size`)
    if (!fileName.endsWith('/')) entries.push(entry)
  }
  return entries
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const stream: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry)
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

function tooMuch(why: string): Fault {
  return new Fault('invalid', `The file is not unpacked: ${why}.`)
}
