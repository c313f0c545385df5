import { kindOfFile } from '../files/kind.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import { Fault, type FileInfo, isTransientStatus, type Scratch, type ScratchFile, type Stored } from '../sdk/index.js'

/** The sources and destinations of a call's files. */
interface ScratchRoutes {
  /** Created on first use. Throws Stopped once the call has ended. */
  readonly folder: () => ScratchFolder
  /** Streams a foreign file, with the size that its server declared, else 0. Must be read to the end or closed. */
  readonly stream: (url: string) => Promise<{ readonly body: AsyncIterable<Uint8Array>; readonly named: number }>
  /** Streams the file of a link to this gateway, likewise; null for any other address. */
  readonly stored: (
    url: string,
  ) => Promise<{ readonly body: AsyncIterable<Uint8Array>; readonly named: number; readonly contentType: string } | null>
  /** Runs a module in a killable worker thread. */
  readonly work: (module: URL, input: unknown, options: { timeoutMs: number; heapMb: number }) => Promise<unknown>
  /** Called with the size in bytes of every source file of the call. */
  readonly onSource?: (bytes: number) => void
  readonly put: (data: AsyncIterable<Uint8Array>, about: FileInfo) => Promise<Stored>
}

/** The files of a call as plugins see them. */
export function scratchOf({ folder, stream, stored, work, onSource, put }: ScratchRoutes): Scratch {
  const source = (file: ScratchFile): ScratchFile => {
    onSource?.(file.size)
    return file
  }
  const written = async (
    into: ScratchFolder,
    { body, named }: { readonly body: AsyncIterable<Uint8Array>; readonly named: number },
    maxBytes: number,
  ): Promise<ScratchFile> => {
    try {
      into.assertRoom(named, { maxBytes })
      return source(await into.write(body, maxBytes))
    } catch (error) {
      await body[Symbol.asyncIterator]().return?.()
      throw error
    }
  }
  return {
    write: async (data, { maxBytes } = {}) => await folder().write(data instanceof Uint8Array ? [data] : data, maxBytes),
    decode: async (base64, { maxBytes } = {}) => source(await folder().write(base64Bytes(base64), maxBytes)),
    fetch: async (url, { maxBytes = Infinity } = {}) => {
      const into = folder()
      return await written(into, await stream(url), maxBytes)
    },
    stored: async (url, { maxBytes = Infinity } = {}) => {
      const into = folder()
      const found = await stored(url)
      return found === null ? null : { file: await written(into, found, maxBytes), contentType: found.contentType }
    },
    read: (file) => folder().read(file),
    bytes: async (file, maxBytes) => await folder().bytes(file, maxBytes),
    head: async (file, bytes) => await folder().head(file, bytes),
    kind: async (file, name = '') => await kindOfFile(work, folder().read(file), name),
    store: async (file, about) => await put(folder().read(file), about),
    remove: async (file) => await folder().remove(file),
  }
}

/** Characters decoded at a time: a multiple of four. */
const PIECE = 4 * 64 * 1024
const ALPHABET = /^[A-Za-z0-9+/]*$/

/** The bytes of Base64 text (RFC 4648, section 4, with padding), in pieces. Throws an `invalid` Fault otherwise. */
export function* base64Bytes(text: string): Generator<Uint8Array> {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0) throw notBase64()
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, Math.min(at + PIECE, text.length))
    if (!ALPHABET.test(at + PIECE >= text.length ? piece.slice(0, piece.length - padding) : piece)) throw notBase64()
    yield Buffer.from(piece, 'base64')
  }
}

function notBase64(): Fault {
  return new Fault('invalid', 'The content is not Base64 with padding (RFC 4648, section 4).')
}

/** The Fault for a file's address that answered with an error status. */
export function fileRefused(status: number): Fault {
  const kind = status === 404 || status === 410 ? 'missing' : 'blocked'
  return new Fault(kind, `The file's address answered with status ${String(status)}.`, { unavailable: isTransientStatus(status) })
}
