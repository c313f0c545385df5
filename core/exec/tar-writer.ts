import type { InputFile } from './input-files.js'

const BLOCK = 512
const SHORT_NAME = 100

/** A file with its bytes as a stream, or a symbolic link. */
export type StreamedEntry =
  | { readonly name: string; readonly size: number; readonly data: AsyncIterable<Uint8Array> }
  | { readonly name: string; readonly to: string }

/** A GNU tar archive of world-readable regular files, in pieces. A name over 100 bytes precedes in an `L` entry. */
export function* tarOf(files: readonly InputFile[]): Generator<Uint8Array> {
  for (const file of files) yield* fileEntry(file)
  yield END
}

/** The same, with streams and links after the files. Throws when a stream does not have its declared size. */
export async function* streamedTarOf(files: readonly InputFile[], streamed: readonly StreamedEntry[]): AsyncGenerator<Uint8Array> {
  for (const file of files) yield* fileEntry(file)
  for (const entry of streamed) {
    if ('to' in entry) yield* head({ name: entry.name, type: '2', size: 0, to: entry.to })
    else {
      yield* head({ name: entry.name, type: '0', size: entry.size })
      yield* exactly(entry.data, entry.size)
      yield* padding(entry.size)
    }
  }
  yield END
}

/** Bytes of such an archive. */
export function tarSize(files: readonly InputFile[], streamed: readonly StreamedEntry[]): number {
  const all = [
    ...files.map(({ name, data }) => ({ name, size: data.length })),
    ...streamed.map((entry) => ({ name: entry.name, size: 'to' in entry ? 0 : entry.size })),
  ]
  const sizes = all.map(({ name, size }) => {
    const long = isLong(name) ? BLOCK + padded(Buffer.byteLength(name) + 1) : 0
    return long + BLOCK + padded(size)
  })
  return sizes.reduce((sum, size) => sum + size, 0) + END.length
}

const END = Buffer.alloc(2 * BLOCK)

interface Header {
  readonly name: string
  readonly type: '0' | '2' | 'L'
  readonly size: number
  readonly to?: string
}

function* fileEntry({ name, data }: InputFile): Generator<Uint8Array> {
  yield* head({ name, type: '0', size: data.length })
  if (data.length > 0) yield data
  yield* padding(data.length)
}

function* head({ name, type, size, to = '' }: Header): Generator<Uint8Array> {
  if (isLong(name)) {
    const bytes = Buffer.from(`${name}\0`)
    yield header({ name: '././@LongLink', type: 'L', size: bytes.length })
    yield bytes
    yield* padding(bytes.length)
  }
  yield header({ name, type, size, to })
}

function isLong(name: string): boolean {
  return Buffer.byteLength(name) + 1 > SHORT_NAME
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

function* padding(size: number): Generator<Uint8Array> {
  const rest = padded(size) - size
  if (rest > 0) yield Buffer.alloc(rest)
}

async function* exactly(data: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const chunk of data) {
    seen += chunk.length
    if (seen > size) break
    yield chunk
  }
  if (seen !== size) throw new Error(`a file of ${size} bytes gave ${seen > size ? 'more' : `only ${seen}`}`)
}

function header({ name, type, size, to = '' }: Header): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number): number =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(name, 0, SHORT_NAME - 1)
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  block.write('        ', 148, 'latin1')
  block.write(type, 156, 'latin1')
  block.write(to, 157, SHORT_NAME)
  block.write('ustar  \0', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}
