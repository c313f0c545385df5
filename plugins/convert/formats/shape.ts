/** The signature of a format. All given conditions must hold. Byte strings are Latin-1. */
export interface Shape {
  /** The file starts with one of these, or has one at an offset. */
  readonly begins?: readonly (string | { readonly at: number; readonly bytes: string })[]
  /** The first 64 KiB are text without control characters; an expression must match them. */
  readonly text?: true | RegExp
  /** Each occurs somewhere in the file. */
  readonly holds?: readonly string[]
  /** A document in a ZIP archive, whose unpacked size is checked before anything opens it. */
  readonly zip?: true
  /** Prefix of the archive's first entry, when it is an uncompressed media type (ODF 1.3 part 2, 3.3). */
  readonly mimetype?: string
  /** Occurs in the last KiB of a complete file; checked only for results, since readers are lenient. */
  readonly ends?: string
}

/** Content of a file collected in one pass. */
export interface Peek {
  /** The first 64 KiB, and the last MiB. */
  readonly head: Buffer
  readonly tail: Buffer
  readonly size: number
  /** The searched byte strings that occur in the file. */
  readonly found: ReadonlySet<string>
}

const HEAD = 64 * 1024
const TAIL = 1024 * 1024
const END = 1024
/** Offset of the name of an archive's first entry (APPNOTE 4.3.7). */
const NAME_AT = 30

/** Reads a file once. */
export async function peek(file: AsyncIterable<Uint8Array>, wanted: readonly string[] = []): Promise<Peek> {
  const longest = Math.max(0, ...wanted.map((text) => text.length - 1))
  const found = new Set<string>()
  const last: Uint8Array[] = []
  let head = Buffer.alloc(0)
  let before = Buffer.alloc(0)
  let kept = 0
  let size = 0
  for await (const chunk of file) {
    if (head.length < HEAD) head = Buffer.concat([head, chunk]).subarray(0, HEAD)
    if (found.size < wanted.length) {
      const seen = Buffer.concat([before, chunk])
      for (const text of wanted) if (!found.has(text) && seen.includes(text, 0, 'latin1')) found.add(text)
      before = seen.subarray(Math.max(0, seen.length - longest))
    }
    size += chunk.length
    kept += chunk.length
    last.push(chunk)
    for (let [oldest] = last; oldest !== undefined && kept - oldest.length >= TAIL; [oldest] = last) {
      kept -= oldest.length
      last.shift()
    }
  }
  return { head, tail: Buffer.concat(last).subarray(-TAIL), size, found }
}

/** Whether a file matches the signature of its format. For a result, the end is also checked. */
export function fits(shape: Shape, seen: Peek, { complete }: { readonly complete: boolean }): boolean {
  const { begins, text, holds = [], zip, mimetype, ends } = shape
  const { head, tail, found } = seen
  if (seen.size === 0) return false
  if (zip === true && !head.toString('latin1', 0, 4).startsWith('PK\x03\x04')) return false
  const declared = /^mimetype(application\/[\x20-\x7e]+?)(?:PK|$)/.exec(head.toString('latin1', NAME_AT, NAME_AT + 120))?.[1]
  if (mimetype !== undefined && declared !== undefined && !declared.startsWith(mimetype)) return false
  if (begins?.some((start) => startsWith(head, start)) === false) return false
  if (holds.some((each) => !found.has(each))) return false
  if (complete && ends !== undefined && !tail.subarray(-END).includes(ends, 0, 'latin1')) return false
  if (text === undefined) return true
  const words = textOf(head)
  return words !== null && (text === true || text.test(words))
}

function startsWith(head: Buffer, start: string | { readonly at: number; readonly bytes: string }): boolean {
  const { at, bytes } = typeof start === 'string' ? { at: 0, bytes: start } : start
  return head.toString('latin1', at, at + bytes.length) === bytes
}

// eslint-disable-next-line no-control-regex -- they are what text does not have; 0x1a ends files of DOS
const CONTROL = /[\0-\x08\x0e-\x19\x1c-\x1f]/

/** The start as text in any encoding, without byte order mark; null when it is not text. */
function textOf(head: Buffer): string | null {
  const mark = head.toString('latin1', 0, 2)
  const even = Buffer.from(head.subarray(0, head.length & ~1))
  const words =
    mark === '\xff\xfe'
      ? even.toString('utf16le', 2)
      : mark === '\xfe\xff'
        ? even.swap16().toString('utf16le', 2)
        : head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  return CONTROL.test(words) ? null : words
}
