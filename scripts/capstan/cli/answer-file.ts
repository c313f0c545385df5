import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { filesOf } from '../answer-files.js'
import { fileFault } from '../../../core/runtime/file-faults.js'
import { isRecord } from '../../../core/sdk/json.js'
import { Failure } from './failure.js'

/** Fields of the answer itself that hold a file as text: the Markdown of a page, subtitles. */
const TEXT = /^(?:[a-z_]+_)?content$/

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

function contentOf(data: unknown): string | undefined {
  const [content] = isRecord(data) ? Object.entries(data).filter(([name, value]) => TEXT.test(name) && typeof value === 'string') : []
  return content === undefined ? undefined : String(content[1])
}
