import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, statSync, type Stats } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileFault } from '../../../core/runtime/file-faults.js'
import { Failure, UsageError } from './failure.js'
import type { GatewayUpload } from './gateway-client.js'

/** A local file to upload as the value of a parameter. */
export interface LocalFile {
  readonly parameter: string
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/**
 * Separates `url=@path` and `NAME_url=@path` from the other words of a call. Throws UsageError for a path that is not a file, and for one of a
 * file without the @.
 */
export function localFiles(words: readonly string[], cwd: string): { readonly files: LocalFile[]; readonly words: string[] } {
  const files: LocalFile[] = []
  const rest = words.map((word) => {
    const [, parameter, at, path] = /^(url|[A-Za-z_][\w-]*_url)=(@?)(.+)$/s.exec(word) ?? []
    if (parameter === undefined || path === undefined) return word
    if (at === '') {
      if (existsSync(resolve(cwd, path)))
        throw new UsageError(`${parameter}: ${path} is a file of this machine; ${parameter}=@${path} uploads it`)
      return word
    }
    files.push(localFile(parameter, resolve(cwd, path)))
    return `${parameter}=@`
  })
  return { files, words: rest }
}

function localFile(parameter: string, path: string): LocalFile {
  const found = statOf(parameter, path)
  if (!found.isFile()) throw new UsageError(`${parameter}: ${path} is ${found.isDirectory() ? 'a folder' : 'not a regular file'}`)
  if (found.size === 0) throw new UsageError(`${parameter}: ${path} is empty`)
  return { parameter, path, size: found.size }
}

function statOf(parameter: string, path: string): Stats {
  try {
    return statSync(path)
  } catch (error) {
    throw new UsageError(`${parameter}: ${path}: ${fileFault(error)}; write an address that begins with @ as ${parameter}:='"@…"'`)
  }
}

/** The form that uploads a file, read as it is sent. `sent` is called with the number of bytes sent. */
export function formOf({ path, size }: LocalFile, sent: (bytes: number) => void): GatewayUpload {
  const boundary = `----capstan-${randomBytes(12).toString('hex')}`
  // As browsers escape names (WHATWG HTML, multipart form data).
  const name = basename(path).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield head
    let bytes = 0
    for await (const chunk of createReadStream(path, { end: size - 1 })) {
      if (!(chunk instanceof Uint8Array)) continue
      yield chunk
      bytes += chunk.length
      sent(bytes)
    }
    if (bytes < size) throw new Failure(`${path} became shorter while it was uploaded`)
    yield tail
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, length: head.length + size + tail.length, body: body() }
}
