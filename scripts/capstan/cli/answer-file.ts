import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileFault } from '../../../core/runtime/file-faults.js'
import { isRecord } from '../../../core/sdk/json.js'
import { parseUrl } from '../../../core/sdk/index.js'
import { Failure } from './failure.js'

/** Base64 text from this length on is not printed. */
const LONG = 1_000
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Fields that hold the bytes of a file in base64. */
const INLINE = /(?:_base64|^b64_json)$/

/** Fields of the answer itself that hold a file as text: the Markdown of a page, subtitles. */
const TEXT = /^(?:[a-z_]+_)?content$/

/** A file within an answer: its bytes in base64, or a link to it. */
interface AnswerFile {
  /** Its path in the answer, such as `output_files.0.content_base64`. */
  readonly path: string
  readonly base64?: string
  readonly link?: string
}

/**
 * Writes the file of an answer, or its content as text, or the answer itself if it contains neither, to `path` and returns the number of bytes. Throws a Failure that
 * names the fields when the answer contains several files, and when the file cannot be fetched or written.
 */
export async function saveAnswer(
  data: unknown,
  text: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): Promise<number> {
  const files = filesOf(data)
  if (files.length > 1)
    throw new Failure(
      `the answer contains ${files.length} files (${files.map((file) => file.path).join(', ')}): print it with --json to get them`,
    )
  const [file] = files
  const target = resolve(cwd, path)
  let bytes = 0
  const counted = async function* (source: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (!(chunk instanceof Uint8Array)) continue
      bytes += chunk.length
      yield chunk
    }
  }
  const source =
    file === undefined
      ? [Buffer.from(contentOf(data) ?? text)]
      : file.base64 === undefined
        ? await (await import('./gateway-client.js')).download(file.link ?? '')
        : [Buffer.from(file.base64, 'base64')]
  try {
    await pipeline(Readable.from(counted(source)), createWriteStream(target))
  } catch (error) {
    throw new Failure(`${target}: ${fileFault(error)}`)
  }
  return bytes
}

/** The same data with long base64 texts replaced by their length. */
export function withoutLongBytes(data: unknown): unknown {
  if (typeof data === 'string') return isLongBase64(data) ? `(${data.length} characters of base64; -o FILE saves the file)` : data
  if (Array.isArray(data)) return data.map(withoutLongBytes)
  if (!isRecord(data)) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, withoutLongBytes(value)]))
}

function isLongBase64(text: string): boolean {
  return text.length > LONG && BASE64.test(text)
}

function contentOf(data: unknown): string | undefined {
  const [content] = isRecord(data) ? Object.entries(data).filter(([name, value]) => TEXT.test(name) && typeof value === 'string') : []
  return content === undefined ? undefined : String(content[1])
}

/** A file may be included both ways: then its bytes are used. */
function filesOf(data: unknown, path: readonly string[] = []): AnswerFile[] {
  if (Array.isArray(data)) return data.flatMap((each, at) => filesOf(each, [...path, String(at)]))
  if (!isRecord(data)) return []
  const found = Object.entries(data).flatMap(([name, value]): AnswerFile[] => {
    const at = [...path, name]
    if (typeof value !== 'string') return filesOf(value, at)
    if (INLINE.test(name) && value !== '') return [{ path: at.join('.'), base64: value }]
    return (name === 'url' || name.endsWith('_url')) && isFileLink(value) ? [{ path: at.join('.'), link: value }] : []
  })
  const inline = found.filter(({ base64 }) => base64 !== undefined)
  return inline.length === 1 && found.length === 2 ? inline : found
}

/** True for a link of a gateway to a file. */
function isFileLink(text: string): boolean {
  const url = /^https?:/.test(text) ? parseUrl(text) : null
  if (url === null) return false
  const { pathname, searchParams } = url
  return /\/files\/[^/]+\/[^/]+$/.test(pathname) && searchParams.has('signature')
}
