import { crc32 } from 'node:zlib'

const UTF8_NAMES = 0x0800
const LOCAL_SIZE = 30
const CENTRAL_SIZE = 46
const END_SIZE = 22
/** 1 January 1980, the earliest date. */
const DATE = 0x0021

/** An uncompressed ZIP archive of the files (PKWARE APPNOTE 4.3). At most 65,535 files and 4 GiB. */
export function zipOf(files: readonly { readonly name: string; readonly data: Uint8Array }[]): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, data } of files) {
    const title = Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(UTF8_NAMES, 2)
    shared.writeUInt16LE(DATE, 8)
    shared.writeUInt32LE(crc32(data), 10)
    shared.writeUInt32LE(data.length, 14)
    shared.writeUInt32LE(data.length, 18)
    shared.writeUInt16LE(title.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), shared, title, Buffer.from(data))
    const entry = Buffer.alloc(CENTRAL_SIZE - 32)
    entry.writeUInt32LE(at, 10)
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, entry, title)
    at += LOCAL_SIZE + title.length + data.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(END_SIZE)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
