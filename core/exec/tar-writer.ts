import type { InputFile } from './input-files.js'

const BLOCK = 512
const SHORT_NAME = 100

/** The pieces of a GNU tar archive of regular files, readable for everybody. Names of more than 100 bytes go before in an `L` entry. */
export function* tarOf(files: readonly InputFile[]): Generator<Uint8Array> {
  for (const { name, data } of files) {
    const bytes = Buffer.from(`${name}\0`)
    if (bytes.length > SHORT_NAME) yield* entry('././@LongLink', 'L', bytes)
    yield* entry(name, '0', data)
  }
  yield Buffer.alloc(2 * BLOCK)
}

function* entry(name: string, type: string, data: Uint8Array): Generator<Uint8Array> {
  yield header(name, type, data.length)
  if (data.length > 0) yield data
  const rest = data.length % BLOCK
  if (rest > 0) yield Buffer.alloc(BLOCK - rest)
}

function header(name: string, type: string, size: number): Buffer {
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
  block.write('ustar  \0', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}
