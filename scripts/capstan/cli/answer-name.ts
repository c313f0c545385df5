import { basename, extname } from 'node:path'
import { parseUrl } from '../../../core/sdk/url.js'
import type { FoundFile } from './answer-file.js'
import { textOf, type Fields } from './record.js'

/** What a file without a name of its own is named after. */
export interface Origin {
  readonly capability: string
  /** The parameters of the call. */
  readonly given: Fields
  /** Names of the files that were uploaded for it. */
  readonly uploaded: readonly string[]
}

/** Most characters of the part of a name that says what a file is about. */
const LONGEST = 60
/** Fields beside a file that hold its name. */
const NAMES = ['file_name', 'filename', 'name']
const EXTENSIONS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  'svg+xml': 'svg',
  plain: 'txt',
  markdown: 'md',
  quicktime: 'mov',
}

/** The name that an answer gives a file, else one of the capability, what the call was about, and the type of the bytes. */
export async function nameOf(file: FoundFile, { capability, given, uploaded }: Origin): Promise<string> {
  const own = NAMES.flatMap((name) => textOf(file.around, name) ?? []).map(safe)
  const linked = file.link === undefined ? '' : safe(decoded(basename(parseUrl(file.link)?.pathname ?? '')))
  const named = [...own, linked].find((name) => extname(name).length > 1)
  if (named !== undefined) return named
  const about = textOf(file.around, 'title') ?? uploaded.map((name) => basename(name, extname(name)))[0] ?? subjectOf(given)
  const stem = [capability.replaceAll('.', '-'), about === null ? '' : dashed(about)].filter((part) => part !== '').join('-')
  return `${stem}.${await extensionOf(file)}`
}

/** The `count`th name of a file: `page.png`, `page-2.png`. */
export function numbered(name: string, count: number): string {
  const extension = extname(name)
  return count === 1 ? name : `${name.slice(0, name.length - extension.length)}-${count}${extension}`
}

/** The address that a call was about, else its first text of several words. */
function subjectOf(given: Fields): string | null {
  const texts = Object.values(given).filter((value) => typeof value === 'string')
  const address = texts.map((text) => (/^https?:/.test(text) ? parseUrl(text) : null)).find((url) => url !== null)
  if (address !== undefined) return `${address.hostname}${address.pathname.replace(/\.\w+$/, '')}`
  return texts.find((text) => /\S\s+\S/.test(text)) ?? null
}

async function extensionOf({ around, base64, path }: FoundFile): Promise<string> {
  const format = textOf(around, 'format') ?? /^[a-z]+\/(?:x-)?([\w.+-]+)/.exec(textOf(around, 'content_type') ?? '')?.[1] ?? ''
  if (/^[a-z0-9]{1,8}$/.test(format) || format in EXTENSIONS) return EXTENSIONS[format] ?? format
  if (base64 === undefined) return 'txt'
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(Buffer.from(base64, 'base64'))
  return found?.ext ?? (path.includes('text') ? 'txt' : 'bin')
}

/** A name from elsewhere as one of a file in the working folder: no path, no control characters, nothing hidden. */
function safe(name: string): string {
  return basename(name.replaceAll('\\', '/'))
    .replaceAll(/[\p{C}:*?"<>|]+/gu, '_')
    .replace(/^[.\s-]+/, '')
    .slice(-100)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Letters and digits with dashes between them. */
function dashed(text: string): string {
  const kept = text
    .slice(0, 4 * LONGEST)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+/gu, '-')
  return kept.slice(0, LONGEST).replaceAll(/^[-.]+|[-.]+$/g, '')
}
