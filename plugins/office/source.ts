import { isUtf8 } from 'node:buffer'
import { Fault } from '../../core/sdk/index.js'
import type { Pair } from './formats/table.js'

const MAGIC = {
  zip: Buffer.from('PK\x03\x04', 'latin1'),
  ole: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  rtf: Buffer.from('{\\rtf', 'latin1'),
  pdf: Buffer.from('%PDF-', 'latin1'),
} as const
const HEAD = 64 * 1024
const ENCRYPTION = '/Encrypt'

/** Refuses a file that is not of its kind, and gives its beginning. Throws Fault `invalid`, which says so of one protected by a password. */
export async function assertKind({ from, reading: { container, holds } }: Pick<Pair, 'from' | 'reading'>, file: AsyncIterable<Uint8Array>) {
  let head = Buffer.alloc(0)
  let found = holds === undefined
  let tail = Buffer.alloc(0)
  for await (const chunk of file) {
    if (head.length < HEAD) head = Buffer.concat([head, chunk]).subarray(0, HEAD)
    if (holds !== undefined && !found) {
      const seen: Buffer = Buffer.concat([tail, chunk])
      found = seen.includes(holds)
      tail = Buffer.from(seen.subarray(-holds.length))
    }
    if (found && head.length >= HEAD) break
  }
  if (head.length === 0) throw refused('The file is empty.')
  if (container !== null && !MAGIC[container].equals(head.subarray(0, MAGIC[container].length))) {
    // A password turns Office Open XML into a compound file around what is encrypted (MS-OFFCRYPTO, 2.3.4.4).
    const sealed = container === 'zip' && holds !== undefined && MAGIC.ole.equals(head.subarray(0, MAGIC.ole.length))
    throw refused(sealed ? `The file is protected by a password, or is no ${from} file.` : `The file is no ${from} file.`)
  }
  if (!found) throw refused(`The file is no ${from} file.`)
  return head
}

/** Whether a PDF has a dictionary of its encryption (ISO 32000-1, 7.6.1); one without a password for its reader has it too. */
export async function encrypted(file: AsyncIterable<Uint8Array>): Promise<boolean> {
  let last = Buffer.alloc(0)
  for await (const chunk of file) {
    const seen: Buffer = Buffer.concat([last, chunk])
    if (seen.includes(ENCRYPTION)) return true
    last = Buffer.from(seen.subarray(-ENCRYPTION.length))
  }
  return false
}

/** The import filter with what it must be told of a text: its encoding, and of a table its separator. */
export function importFilter({ from, reading: { filter, plain } }: Pair, head: Buffer): string {
  if (plain === undefined) return filter
  const mark = head.toString('latin1', 0, 2)
  const wide = mark === '\xff\xfe' || mark === '\xfe\xff'
  const utf8 = isUtf8(head) || (head.length === HEAD && [1, 2, 3].some((cut) => isUtf8(head.subarray(0, -cut))))
  if (plain === 'text') return `${filter}:${wide ? 'UTF16' : utf8 ? 'UTF8' : 'MS_1252'}`
  // Numbers of encodings are LibreOffice's own (rtl/textenc.h).
  const encoding = wide ? 65_535 : utf8 ? 76 : 1
  return `${filter}:${from === 'tsv' ? 9 : separatorOf(head.toString('latin1'))},34,${String(encoding)},1`
}

/** The character that most of the first lines have equally often outside of quotes: comma, semicolon, tab or bar. */
function separatorOf(text: string): number {
  const lines = text
    .replace(/"[^"]*"/g, '""')
    .split(/\r?\n/, 11)
    .slice(0, 10)
    .filter((line) => line.trim() !== '')
  const scores = [',', ';', '\t', '|'].map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    const first = counts[0] ?? 0
    return { separator, score: first === 0 ? 0 : counts.filter((count) => count === first).length * 100 + first }
  })
  const [best] = scores.sort((one, other) => other.score - one.score)
  return (best === undefined || best.score === 0 ? ',' : best.separator).charCodeAt(0)
}

function refused(why: string): Fault {
  return new Fault('invalid', why, { loc: ['file'] })
}
