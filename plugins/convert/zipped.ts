import { crc32 } from 'node:zlib'
import type { ScratchFile, Services } from '../../core/sdk/index.js'

const UTF8_NAMES = 0x0800
/** 1 January 1980, the earliest date. */
const DATE = 0x0021

interface Entry {
  readonly file: ScratchFile
  readonly name: Buffer
  readonly crc: number
  readonly at: number
}

/** An uncompressed ZIP archive of files of the call (PKWARE APPNOTE 4.3). At most 65,535 files and 4 GiB. */
export async function zipped(
  { scratch }: Pick<Services, 'scratch'>,
  files: readonly ScratchFile[],
  nameOf: (at: number) => string,
): Promise<ScratchFile> {
  const entries: Entry[] = []
  let at = 0
  for (const [index, file] of files.entries()) {
    let crc = 0
    for await (const chunk of scratch.read(file)) crc = crc32(chunk, crc)
    const name = Buffer.from(nameOf(index))
    entries.push({ file, name, crc, at })
    at += 30 + name.length + file.size
  }
  return await scratch.write(archive(entries, at, scratch))
}

async function* archive(entries: readonly Entry[], listAt: number, scratch: Services['scratch']): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared(entry), entry.name])
    yield* scratch.read(entry.file)
  }
  const list = Buffer.concat(
    entries.flatMap((entry) => [Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared(entry), place(entry), entry.name]),
  )
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(listAt, 16)
  yield Buffer.concat([list, end])
}

/** The common fields of a file's header and its directory entry. */
function shared({ crc, file, name }: Entry): Buffer {
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(20, 0)
  bytes.writeUInt16LE(UTF8_NAMES, 2)
  bytes.writeUInt16LE(DATE, 8)
  bytes.writeUInt32LE(crc, 10)
  bytes.writeUInt32LE(file.size, 14)
  bytes.writeUInt32LE(file.size, 18)
  bytes.writeUInt16LE(name.length, 22)
  return bytes
}

function place({ at }: Entry): Buffer {
  const bytes = Buffer.alloc(14)
  bytes.writeUInt32LE(at, 10)
  return bytes
}
