import { createWriteStream, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { filesOf, type AnswerFile } from '../answer-files.js'
import { fileFault } from '../../../core/runtime/file-faults.js'
import { isRecord } from '../../../core/sdk/json.js'
import { nameOf, numbered, type Origin } from './answer-name.js'
import { Failure } from './failure.js'
import type { Fields } from './record.js'

/** Fields of the answer itself that hold a file as text: the Markdown of a page, subtitles. */
const TEXT = /^(?:[a-z_]+_)?content$/
/** Links beside the result itself: they are printed, and fetched by whoever wants them. */
const BESIDE = /(?:^|[_.])(?:thumbnail|screenshot|preview|data)_url$/
/** Most files of one name in a folder. */
const MOST_OF_A_NAME = 1_000

/** A file of an answer, whole: as bytes, or behind a link. */
export interface FoundFile extends AnswerFile {
  readonly text?: string
}

/** The files that an answer consists of, in its order. `given`: the parameters of the call, whose addresses an answer may repeat. */
export function resultFiles(data: unknown, given: Fields): FoundFile[] {
  return [...textFiles(data), ...wholeFiles(data, given)]
}

function wholeFiles(data: unknown, given: Fields): AnswerFile[] {
  const addresses = new Set(Object.values(given))
  return filesOf(data).filter(({ path, link }) => link === undefined || (!BESIDE.test(path) && !addresses.has(link)))
}

/** A text with the name of its format beside it is a file, such as subtitles; the content of a page is read where it is printed. */
function textFiles(data: unknown): FoundFile[] {
  if (!isRecord(data) || typeof data.format !== 'string') return []
  return Object.entries(data).flatMap(([name, value]) =>
    /_content$/.test(name) && typeof value === 'string' ? [{ path: name, text: value, around: data }] : [],
  )
}

/** A file that was written. */
export interface SavedFile {
  /** The field of the answer. */
  readonly field: string
  /** Absolute path. */
  readonly path: string
  readonly bytes: number
}

/** Writes one file of an answer into a folder under a name that no file has. Throws a Failure when it cannot be fetched or written. */
export async function saveFile(file: FoundFile, folder: string, origin: Origin): Promise<SavedFile> {
  const { path, descriptor } = reserved(folder, await nameOf(file, origin))
  try {
    return { field: file.path, path, bytes: await write(await bytesOf(file), path, descriptor) }
  } catch (error) {
    // A part of it would be taken for the result.
    rmSync(path, { force: true })
    throw error
  }
}

/** Creates an empty file of this name, or of the next number that is free. */
function reserved(folder: string, name: string): { readonly path: string; readonly descriptor: number } {
  for (let count = 1; count <= MOST_OF_A_NAME; count++) {
    const path = resolve(folder, numbered(name, count))
    try {
      return { path, descriptor: openSync(path, 'wx') }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw new Failure(`${path}: ${fileFault(error)}`)
    }
  }
  throw new Failure(`${resolve(folder, name)}: ${MOST_OF_A_NAME} files have this name already; name another one with --out`)
}

/**
 * Writes the file of an answer, or its content as text, or the answer itself if it contains neither, to `path` and returns the number of
 * bytes. Throws a Failure that names the fields when the answer contains several files, and when the file cannot be fetched or written.
 */
export async function saveAnswer(
  data: unknown,
  text: string,
  { path, given }: { readonly path: string; readonly given: Fields },
): Promise<number> {
  const files = wholeFiles(data, given)
  if (files.length > 1)
    throw new Failure(
      `the answer contains ${files.length} files (${files.map((file) => file.path).join(', ')}): name a folder with --out to save all, or print the answer with --json`,
    )
  const [file] = files
  return await write(file === undefined ? [Buffer.from(contentOf(data) ?? text)] : await bytesOf(file), path)
}

async function bytesOf({ base64, text, link }: FoundFile): Promise<AsyncIterable<unknown> | Iterable<unknown>> {
  if (base64 !== undefined) return [Buffer.from(base64, 'base64')]
  if (text !== undefined) return [Buffer.from(text)]
  return await (await import('./gateway-client.js')).download(link ?? '')
}

/** Writes to a path, or to a descriptor that is open for it; returns the number of bytes. */
async function write(source: AsyncIterable<unknown> | Iterable<unknown>, path: string, descriptor?: number): Promise<number> {
  let bytes = 0
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (!(chunk instanceof Uint8Array)) continue
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(path, descriptor === undefined ? {} : { fd: descriptor }))
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${path}: ${fileFault(error)}`)
  }
  return bytes
}

function contentOf(data: unknown): string | undefined {
  const [content] = isRecord(data) ? Object.entries(data).filter(([name, value]) => TEXT.test(name) && typeof value === 'string') : []
  return content === undefined ? undefined : String(content[1])
}
