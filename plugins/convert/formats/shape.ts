/** How the bytes of a format look. All that is named must hold. Byte strings are Latin-1. */
export interface Shape {
  /** The file begins with one of these, or has one at an offset. */
  readonly begins?: readonly (string | { readonly at: number; readonly bytes: string })[]
  /** The first 64 KiB are text without control characters; an expression must match them. */
  readonly text?: true | RegExp
  /** Each is somewhere in the file. */
  readonly holds?: readonly string[]
  /** A ZIP archive of a document, whose unpacked size is bounded before anything opens it. */
  readonly zip?: true
  /** What the first entry of the archive says, where it is a media type that is not compressed (ODF 1.3 part 2, 3.3): begins with this. */
  readonly mimetype?: string
  /** Stands in the last KiB of a file that is complete; asked of results alone, since readers are lenient. */
  readonly ends?: string
}

/** What was seen of a file in one pass. */
export interface Peek {
  /** The first 64 KiB, and the last MiB. */
  readonly head: Buffer
  readonly tail: Buffer
  readonly size: number
  /** Which of the byte strings that were looked for are in it. */
  readonly found: ReadonlySet<string>
}

const HEAD = 64 * 1024
const TAIL = 1024 * 1024
const END = 1024
/** The name of the first entry of an archive (APPNOTE 4.3.7). */
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

/** Whether a file looks as its format does. Of a result also its end is looked at. */
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

/** The beginning as text in whatever encoding, without its mark; null when it is none. */
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
