import { inflateRawSync } from 'node:zlib'

/** Why an archive is not unpacked. */
export interface ZipProblem {
  readonly problem: 'limit' | 'broken' | 'encrypted'
  readonly message: string
}

const MAX_FILES = 2_000
const MAX_BYTES = 100 * 1024 * 1024
const MAX_RATIO = 100
const SMALL = 1024 * 1024
const END = 0x06054b50
const ENTRY = 0x02014b50

const BROKEN: ZipProblem = { problem: 'broken', message: 'the document at url is not a readable Word document' }

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  readonly offset: number
}

/**
 * Checks an archive before anything unpacks it: number of files, declared sizes and ratios, then the true size of each file
 * by unpacking it under a cap, because a declared size may lie. Null when it is safe. Layout: PKWARE APPNOTE 4.3.
 */
export function checkZip(bytes: Uint8Array): ZipProblem | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = directory(data)
  if (!Array.isArray(entries)) return entries
  let total = 0
  for (const entry of entries) {
    total += entry.unpacked
    if (total > MAX_BYTES) return { problem: 'limit', message: `the document unpacks to more than ${MAX_BYTES} bytes` }
    if (entry.unpacked > SMALL && entry.unpacked > entry.packed * MAX_RATIO)
      return { problem: 'limit', message: `a part of the document unpacks to more than ${MAX_RATIO} times its size` }
  }
  for (const entry of entries) {
    const problem = checkEntry(data, entry)
    if (problem !== null) return problem
  }
  return null
}

function directory(data: Buffer): Entry[] | ZipProblem {
  const end = findEnd(data)
  if (end === -1) return BROKEN
  const count = data.readUInt16LE(end + 10)
  if (count > MAX_FILES) return { problem: 'limit', message: `the document holds more than ${MAX_FILES} files` }
  const entries: Entry[] = []
  let at = data.readUInt32LE(end + 16)
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > data.length || data.readUInt32LE(at) !== ENTRY) return BROKEN
    if ((data.readUInt16LE(at + 8) & 1) === 1) return { problem: 'encrypted', message: 'the document at url is encrypted' }
    const nameLength = data.readUInt16LE(at + 28)
    const name = data.toString('utf8', at + 46, at + 46 + nameLength)
    if (name.startsWith('/') || name.split(/[/\\]/).includes('..'))
      return { problem: 'broken', message: 'the document at url names files outside itself' }
    entries.push({
      name,
      method: data.readUInt16LE(at + 10),
      packed: data.readUInt32LE(at + 20),
      unpacked: data.readUInt32LE(at + 24),
      offset: data.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
  }
  return entries
}

function findEnd(data: Buffer): number {
  for (let at = data.length - 22; at >= Math.max(0, data.length - 22 - 65_535); at -= 1) if (data.readUInt32LE(at) === END) return at
  return -1
}

function checkEntry(data: Buffer, entry: Entry): ZipProblem | null {
  if (entry.offset + 30 > data.length) return BROKEN
  const start = entry.offset + 30 + data.readUInt16LE(entry.offset + 26) + data.readUInt16LE(entry.offset + 28)
  const packed = data.subarray(start, start + entry.packed)
  if (packed.length !== entry.packed || (entry.method !== 0 && entry.method !== 8)) return BROKEN
  let content = packed
  if (entry.method === 8) {
    try {
      content = inflateRawSync(packed, { maxOutputLength: entry.unpacked + 1 })
    } catch (error) {
      if (error instanceof Error) return { problem: 'limit', message: 'a part of the document unpacks to more than it declares' }
      throw error
    }
  }
  if (content.length !== entry.unpacked) return BROKEN
  if (/\.(?:xml|rels)$/i.test(entry.name) && content.includes('<!DOCTYPE'))
    return { problem: 'broken', message: 'the document at url declares entities of its own' }
  return null
}
