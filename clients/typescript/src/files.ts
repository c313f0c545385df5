import { CapstanError } from './errors.js'
import type { Body, Sending } from './transport.js'

/** A path (not in browsers), bytes, or an open file. */
export type FileInput = string | URL | Blob | ArrayBuffer | ArrayBufferView

/** A file that can be read several times. @internal */
export interface Source {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly blob: Blob | null
  pieces(): AsyncIterable<Uint8Array>
}

/** What was saved. */
export interface Download {
  /** Bytes. */
  readonly size: number
  readonly content_type: string
}

const PIECE_BYTES = 256 * 1024
/** A scheme, which has more than the one letter of a drive. */
const ADDRESS = /^[a-z][a-z0-9+.-]+:/i
/** An address that lacks its scheme: a host with a dot, then a path. */
const HOST = /^[^\s/.]+(?:\.[^\s/.]+){1,9}\//

/** Whether files are read by their path here, and bodies are sent while they are read. @internal */
export function hasFileSystem(): boolean {
  return typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node === 'string'
}

/** The file behind the value of a parameter; null for an address and for what is no file. Throws CapstanError for a file that cannot be read. @internal */
export async function sourceOf(value: unknown, parameter: string): Promise<Source | null> {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return ofBlob(new Blob([value as ArrayBuffer]), 'file')
  if (isBlob(value)) return ofBlob(value, 'name' in value ? String(value.name) : 'file')
  const isFileUrl = /^file:/i.test(String(value))
  if (!(typeof value === 'string' || value instanceof URL) || (!isFileUrl && isAddress(String(value)))) return null
  if (!hasFileSystem()) return isFileUrl ? refuse(parameter, value, 'files have no path here: give a Blob or File') : null
  const { stat } = await nodeFiles()
  const path = isFileUrl ? new URL(value) : String(value)
  const about = await stat(path).catch((error: unknown) => {
    if (HOST.test(String(value)) && codeOf(error) === 'ENOENT') return null
    return refuse(parameter, value, `it is neither an address (https://…) nor a file that can be read: ${codeOf(error)}`, error)
  })
  if (about === null) return null
  if (!about.isFile()) return refuse(parameter, value, 'it is not a regular file')
  const whole = path instanceof URL ? decodeURIComponent(path.pathname) : path
  return { name: whole.split(/[/\\]/).pop() ?? 'file', size: about.size, blob: null, pieces: () => piecesOf(path) }
}

/** The form of an upload. Where there is a file system it is sent while the file is read. @internal */
export function form(source: Source, { signal, touch }: Sending): Body {
  if (!hasFileSystem() && source.blob !== null) {
    const body = new FormData()
    body.append('file', source.blob, source.name)
    return { body }
  }
  const boundary = `capstan-${uniqueId()}`
  const pieces = multipart(source, boundary, touch)
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      // Node's fetch would read the file to its end after an abort.
      if (signal.aborted) {
        await pieces.return(undefined)
        return controller.error(signal.reason)
      }
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
  return { body, contentType: `multipart/form-data; boundary=${boundary}`, streamed: true }
}

/** Writes the pieces to a stream, or to a file that appears when it is whole. Returns the number of bytes. @internal */
export async function save(pieces: AsyncIterable<Uint8Array>, to: string | URL | WritableStream<Uint8Array>): Promise<number> {
  if (typeof to === 'object' && 'getWriter' in to) return await pour(pieces, to)
  if (!hasFileSystem()) throw new CapstanError('files have no path here: give download a WritableStream')
  const { open, rename, rm } = await nodeFiles()
  const path = to instanceof URL ? to : String(to)
  const part = to instanceof URL ? new URL(`${to.href}.${uniqueId()}.part`) : `${to}.${uniqueId()}.part`
  const file = await open(part, 'wx')
  try {
    let size = 0
    for await (const piece of pieces) {
      await file.writeFile(piece)
      size += piece.length
    }
    await file.close()
    await rename(part, path)
    return size
  } catch (error) {
    await file.close()
    await rm(part, { force: true })
    throw error
  }
}

/** A text that no other call of this function returns. @internal */
export function uniqueId(): string {
  // Node 18 has no global `crypto`, and pages without https have no `randomUUID`.
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } }
  const random = (): string => Math.random().toString(36).slice(2)
  return crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${random()}-${random()}`
}

async function pour(pieces: AsyncIterable<Uint8Array>, to: WritableStream<Uint8Array>): Promise<number> {
  const writer = to.getWriter()
  try {
    let size = 0
    for await (const piece of pieces) {
      await writer.write(piece)
      size += piece.length
    }
    await writer.close()
    return size
  } catch (error) {
    await writer.abort(error)
    throw error
  }
}

async function* multipart(source: Source, boundary: string, touch: () => void): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder()
  // As browsers escape names (WHATWG HTML, multipart form data).
  const escaped = source.name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
  const disposition = `Content-Disposition: form-data; name="file"; filename="${escaped}"`
  yield encoder.encode(`--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`)
  for await (const piece of source.pieces()) {
    touch()
    yield piece
  }
  yield encoder.encode(`\r\n--${boundary}--\r\n`)
  touch()
}

async function* piecesOf(path: string | URL): AsyncGenerator<Uint8Array> {
  const { open } = await nodeFiles()
  const file = await open(path).catch((error: unknown) => refuse('the file', path, codeOf(error), error))
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

function ofBlob(blob: Blob, name: string): Source {
  return { name, size: blob.size, blob, pieces: () => blob.stream() }
}

function isBlob(value: unknown): value is Blob {
  return typeof value === 'object' && value !== null && 'stream' in value && 'size' in value && 'arrayBuffer' in value
}

function isAddress(text: string): boolean {
  return text === '' || ADDRESS.test(text)
}

function codeOf(error: unknown): string {
  return error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error)
}

function refuse(parameter: string, value: unknown, why: string, cause?: unknown): never {
  throw new CapstanError(`${parameter}: ${JSON.stringify(String(value).slice(0, 200))}: ${why}`, { cause })
}

/** The name is no literal, so that bundlers for browsers do not resolve it. */
function nodeFiles(name = 'node:fs/promises'): Promise<typeof import('node:fs/promises')> {
  return import(name) as Promise<typeof import('node:fs/promises')>
}
