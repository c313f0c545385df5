import { fromBufferPromise, type Entry } from 'yauzl'
import { Fault } from '../../../../core/sdk/fault.js'

/** Most bytes of text unpacked from one file: takes well below a second. */
const MOST_BYTES = 24 * 1024 * 1024

/** The wanted parts of an archive as text, by name. Throws Fault `missing` for one with too much text. */
export async function partsOf(bytes: Uint8Array, wanted: RegExp): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true })
  const parts = new Map<string, string>()
  let left = MOST_BYTES
  const all: AsyncIterable<Entry> = zip.eachEntry()
  for await (const entry of all) {
    if (!wanted.test(entry.fileName)) continue
    const pieces: Buffer[] = []
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
    for await (const piece of stream) {
      left -= piece.length
      if (left < 0) throw tooLong()
      pieces.push(piece)
    }
    parts.set(entry.fileName, Buffer.concat(pieces).toString('utf8'))
  }
  return parts
}

/** Throws as `partsOf` for a text that is too long. */
export function assertShort(bytes: Uint8Array): void {
  if (bytes.length > MOST_BYTES) throw tooLong()
}

function tooLong(): Fault {
  return new Fault('missing', 'The file has more text than is compared.')
}
