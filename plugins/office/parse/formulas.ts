import { fromBufferPromise, type Entry } from 'yauzl'
import { Fault } from '../../../core/sdk/fault.js'

/** Maximum unpacked bytes: more than a real document has. */
const MOST_BYTES = 400 * 1024 * 1024
/** A longer tag is none of these. */
const LONGEST_TAG = 256
/**
 * Parts with formulas: Office Open XML has them in its text (ECMA-376 22.1), OpenDocument as objects of its manifest
 * (ODF 1.3 part 2, 3).
 */
const PARTS = [
  { name: /^(?:word|ppt|xl)\/.*\.xml$/i, formula: /<(?:\w{1,20}:)?oMath[\s/>]/g },
  { name: /^META-INF\/manifest\.xml$/, formula: /<[^<>]{0,200}opendocument\.formula["']/g },
] as const

/** Number of formulas in a document archive. Runs in the sandbox. Throws Fault `invalid` for one that unpacks to an excessive size. */
export default async function formulas(bytes: Uint8Array): Promise<number> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true })
  let [count, left] = [0, MOST_BYTES]
  const all: AsyncIterable<Entry> = zip.eachEntry()
  for await (const entry of all) {
    const part = PARTS.find(({ name }) => name.test(entry.fileName))
    if (part === undefined) continue
    const stream: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry)
    let rest = ''
    for await (const chunk of stream) {
      left -= chunk.length
      if (left < 0) throw new Fault('invalid', 'The document unpacks to more than a document has.')
      const text = rest + chunk.toString('latin1')
      const found = [...text.matchAll(part.formula)]
      count += found.length
      const open = text.lastIndexOf('<')
      const unread = open > (found.at(-1)?.index ?? -1) && text.length - open < LONGEST_TAG
      rest = unread ? text.slice(open) : ''
    }
  }
  return count
}
