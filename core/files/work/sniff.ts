import { parse } from 'csv-parse/sync'
import type { FileKind } from '../../sdk/index.js'
import type { FileHead } from '../kind.js'
import { officeKind, signedKind } from './signed-kind.js'

/** Kinds with a signature that are text, or may begin with much text. */
const SIGNED_TEXT = new Set(['pdf', 'rtf', 'ps', 'eps', 'ai', 'vcf', 'ics', 'vtt', 'asc', 'pgp', 'ipynb'])

/** The kind of a file by its first bytes; null when it is unknown. */
export default async function sniff({ head, whole, name }: FileHead): Promise<FileKind | null> {
  const signed = await signedKind(head)
  const text = textOf(head, whole)
  // Some signatures are words: a text that begins with BMW is not an image.
  if (text !== null && (signed === null || !SIGNED_TEXT.has(signed.extension))) return textKind(text, { whole, name })
  return officeKind(head, signed) ?? signed
}

// eslint-disable-next-line no-control-regex -- text does not contain them
const CONTROL = /[\0-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]/
/** Most bytes missing from the last character of a cut text. */
const LONGEST_REST = 3

/** Bytes as text without its byte order mark: UTF-8, or UTF-16 with a mark, without control characters. Null for anything else. */
export function textOf(bytes: Uint8Array, whole: boolean): string | null {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  // The last character may have been cut.
  for (let end = bytes.length; end >= Math.max(1, bytes.length - (whole ? 0 : LONGEST_REST)); end--) {
    const text = decoded(bytes.subarray(0, end), encoding)
    if (text !== null) return CONTROL.test(text) ? null : text
  }
  return null
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Lines of a table that are checked, and the least number. */
const TABLE_LINES = 20
const LEAST_LINES = 3

const PLAIN: FileKind = { contentType: 'text/plain', extension: 'txt' }
const HTML: FileKind = { contentType: 'text/html', extension: 'html' }
const XML: FileKind = { contentType: 'application/xml', extension: 'xml' }
const JSON_TEXT: FileKind = { contentType: 'application/json', extension: 'json' }
const CSV: FileKind = { contentType: 'text/csv', extension: 'csv' }
const TSV: FileKind = { contentType: 'text/tab-separated-values', extension: 'tsv' }
const MARKDOWN: FileKind = { contentType: 'text/markdown', extension: 'md' }

/** Kinds without a distinctive content, by the extension of the name. */
const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map([
  ['csv', CSV],
  ['tsv', TSV],
  ['md', MARKDOWN],
  ['markdown', MARKDOWN],
  ['srt', { contentType: 'application/x-subrip', extension: 'srt' }],
  ['yaml', { contentType: 'application/yaml', extension: 'yaml' }],
  ['yml', { contentType: 'application/yaml', extension: 'yaml' }],
  ['eml', { contentType: 'message/rfc822', extension: 'eml' }],
])

interface TextHints {
  /** True when the text is the whole file. */
  readonly whole: boolean
  /** The file name sent with it, or empty. */
  readonly name: string
}

/** The kind of a text: markup and JSON by the content, then by the name's extension, then tables and Markdown by the content. */
export function textKind(text: string, { whole, name }: TextHints): FileKind {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const body = text.trimStart()
  return (
    markupKind(body, extension) ??
    (isJson(body, { whole, extension }) ? JSON_TEXT : null) ??
    BY_EXTENSION.get(extension) ??
    (extension === '' ? (tableKind(text, whole) ?? (isMarkdown(text) ? MARKDOWN : PLAIN)) : PLAIN)
  )
}

/** By the root element (SVG 2, XHTML), or the beginning of a page. */
function markupKind(body: string, extension: string): FileKind | null {
  if (!body.startsWith('<')) return null
  const declared = body.startsWith('<?xml')
  const root = rootElement(body)
  if (root === 'svg') return { contentType: 'image/svg+xml', extension: 'svg' }
  if (root === 'html') return declared ? { contentType: 'application/xhtml+xml', extension: 'xhtml' } : HTML
  if (declared || (extension === 'xml' && root !== null)) return XML
  return ['html', 'htm', 'xhtml'].includes(extension) && root !== null ? HTML : null
}

/** The name of the first element after declarations and comments, without its prefix and in lower case; a page may omit its root. */
function rootElement(body: string): string | null {
  for (let at = body.indexOf('<'); at !== -1; at = body.indexOf('<', at)) {
    const end = body.startsWith('<!--', at) ? '-->' : body.startsWith('<?', at) ? '?>' : body.startsWith('<!', at) ? '>' : null
    if (end === null) return /^<(?:[\w-]+:)?([a-z][\w-]*)[\s/>]/i.exec(body.slice(at, at + 100))?.[1]?.toLowerCase() ?? null
    if (/^<!doctype html[\s>]/i.test(body.slice(at, at + 20))) return 'html'
    const closed = body.indexOf(end, at)
    if (closed === -1) return null
    at = closed + end.length
  }
  return null
}

/** A cut text cannot be parsed: it is taken for JSON by its beginning or its name. */
function isJson(body: string, { whole, extension }: { whole: boolean; extension: string }): boolean {
  if (!/^[[{]/.test(body)) return false
  if (!whole) return /^(?:\{\s*"|\[\s*[[{"\d-])/.test(body) && (extension === 'json' || extension === '')
  try {
    JSON.parse(body)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function tableKind(text: string, whole: boolean): FileKind | null {
  const lines = text.split(/\r?\n/, TABLE_LINES + 1)
  // The last line may be cut.
  if (lines.length <= TABLE_LINES && !whole) lines.pop()
  const sample = lines.slice(0, TABLE_LINES).join('\n')
  if (columns(sample, '\t') > 1) return TSV
  return [',', ';'].some((delimiter) => columns(sample, delimiter) > 1) ? CSV : null
}

/** Number of columns of each line; 0 when it differs between lines, is too small, or the lines are sentences. */
function columns(sample: string, delimiter: string): number {
  try {
    const rows: string[][] = parse(sample, { delimiter, skip_empty_lines: true })
    const sentences = rows.some((row) => row.some((cell, index) => index > 0 && cell.startsWith(' ')))
    return sentences || rows.length < LEAST_LINES ? 0 : (rows[0]?.length ?? 0)
  } catch (error) {
    if (error instanceof Error) return 0
    throw error
  }
}

/** A heading, and a link or code beside it. */
function isMarkdown(text: string): boolean {
  return /^#{1,6} \S/m.test(text) && /^```|\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/m.test(text)
}
