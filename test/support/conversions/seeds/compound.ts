import { u16le, u32le } from '../bytes.js'

const SECTOR = 512
const MINI = 64
const CUTOFF = 4_096
const [FREE, END, FAT] = [0xffffffff, 0xfffffffe, 0xfffffffd]

/** Streams by path, with `/` between a storage and what is in it. */
type Streams = Readonly<Record<string, Uint8Array>>

interface Entry {
  readonly name: string
  readonly kind: 1 | 2 | 5
  readonly children: Entry[]
  readonly data: Uint8Array
}

/** A compound file (MS-CFB, version 3) with these streams: at most 60 kB, so that one sector lists all others. */
export function compoundFile(streams: Streams): Buffer {
  const root: Entry = { name: 'Root Entry', kind: 5, children: [], data: Buffer.alloc(0) }
  for (const [path, data] of Object.entries(streams)) add(root, path.split('/'), data)
  const entries = flat(root)
  const chain: number[] = [FAT]
  const body: Uint8Array[] = []
  const place = (data: Uint8Array): number => {
    const sectors = Math.ceil(data.length / SECTOR)
    if (sectors === 0) return END
    const first = chain.length
    for (let at = 1; at <= sectors; at++) chain.push(at === sectors ? END : first + at)
    body.push(data, Buffer.alloc(sectors * SECTOR - data.length))
    return first
  }
  const minis: number[] = []
  const small: Uint8Array[] = []
  const starts = entries.map(({ kind, data }) => {
    if (kind !== 2) return 0
    if (data.length >= CUTOFF) return place(data)
    const sectors = Math.max(1, Math.ceil(data.length / MINI))
    const first = minis.length
    for (let at = 1; at <= sectors; at++) minis.push(at === sectors ? END : first + at)
    small.push(data, Buffer.alloc(sectors * MINI - data.length))
    return first
  })
  const miniStream = Buffer.concat(small)
  starts[0] = place(miniStream)
  const miniFat = place(Buffer.concat([u32le(...minis), Buffer.alloc(SECTOR - ((minis.length * 4) % SECTOR), 0xff)]))
  const directory = place(
    Buffer.concat([
      ...entries.map((entry, at) =>
        row(entry, { entries, start: starts[at] ?? 0, size: at === 0 ? miniStream.length : entry.data.length }),
      ),
    ]),
  )
  if (chain.length > SECTOR / 4) throw new Error('the streams are too large')
  const header = Buffer.concat([
    ...[Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(16), u16le(0x3e, 3, 0xfffe, 9, 6), Buffer.alloc(6)],
    ...[
      u32le(0, 1, directory, 0, CUTOFF, miniFat, Math.ceil((minis.length * 4 + 1) / SECTOR), END, 0, 0),
      u32le(...Array<number>(108).fill(FREE)),
    ],
  ])
  return Buffer.concat([header, u32le(...chain, ...Array<number>(SECTOR / 4 - chain.length).fill(FREE)), ...body])
}

function add(parent: Entry, [name = '', ...rest]: readonly string[], data: Uint8Array): void {
  if (rest.length === 0) return void parent.children.push({ name, kind: 2, children: [], data })
  let storage = parent.children.find((child) => child.name === name)
  if (storage === undefined) parent.children.push((storage = { name, kind: 1, children: [], data: Buffer.alloc(0) }))
  add(storage, rest, data)
}

function flat(entry: Entry): Entry[] {
  entry.children.sort((one, other) => one.name.length - other.name.length || (one.name.toUpperCase() < other.name.toUpperCase() ? -1 : 1))
  return [entry, ...entry.children.flatMap(flat)]
}

/** A row of the directory. Siblings are a chain to the right. */
function row(entry: Entry, { entries, start, size }: { entries: readonly Entry[]; start: number; size: number }): Buffer {
  const parent = entries.find(({ children }) => children.includes(entry))
  const next = parent?.children[parent.children.indexOf(entry) + 1]
  const [child] = entry.children
  const bytes = Buffer.alloc(128)
  bytes.write(entry.name, 'utf16le')
  bytes.writeUInt16LE((entry.name.length + 1) * 2, 64)
  bytes[66] = entry.kind
  bytes[67] = 1
  bytes.writeUInt32LE(FREE, 68)
  bytes.writeUInt32LE(next === undefined ? FREE : entries.indexOf(next), 72)
  bytes.writeUInt32LE(child === undefined ? FREE : entries.indexOf(child), 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}
