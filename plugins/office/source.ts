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

/** Rejects a file of another type, and returns its start. Throws Fault `invalid`, with a message of its own for password protection. */
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
    // With a password, Office Open XML becomes a compound file around the encrypted content (MS-OFFCRYPTO, 2.3.4.4).
    const sealed = container === 'zip' && holds !== undefined && MAGIC.ole.equals(head.subarray(0, MAGIC.ole.length))
    throw refused(sealed ? `The file is protected by a password, or is no ${from} file.` : `The file is no ${from} file.`)
  }
  if (!found) throw refused(`The file is no ${from} file.`)
  return head
}

/** Whether a PDF has an encryption dictionary (ISO 32000-1, 7.6.1); one that opens without a password may have it too. */
export async function encrypted(file: AsyncIterable<Uint8Array>): Promise<boolean> {
  let last = Buffer.alloc(0)
  for await (const chunk of file) {
    const seen: Buffer = Buffer.concat([last, chunk])
    if (seen.includes(ENCRYPTION)) return true
    last = Buffer.from(seen.subarray(-ENCRYPTION.length))
  }
  return false
}

/**
 * The separator, quotes, encoding and first line of `textTable`; then language, that quoted cells are text, and that
 * nothing else is a date.
 */
const TABLE = '44,34,76,1,,1033,true,false'

/** The import filter with its options: the encoding of a text, and the structure of a table. */
export function importFilter({ reading: { filter, plain } }: Pair, head: Buffer): string {
  if (plain === undefined) return filter
  if (plain === 'table') return `${filter}:${TABLE}`
  const mark = head.toString('latin1', 0, 2)
  const wide = mark === '\xff\xfe' || mark === '\xfe\xff'
  const utf8 = isUtf8(head) || (head.length === HEAD && [1, 2, 3].some((cut) => isUtf8(head.subarray(0, -cut))))
  return `${filter}:${wide ? 'UTF16' : utf8 ? 'UTF8' : 'MS_1252'}`
}

function refused(why: string): Fault {
  return new Fault('invalid', why, { loc: ['file'] })
}
