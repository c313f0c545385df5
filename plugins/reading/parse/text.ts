import { fileTypeFromBuffer } from 'file-type'
import { Fault } from '../../../core/sdk/fault.js'
import type { Format } from '../contract.js'
import { decoded, namedCharset } from './charset.js'
import { readCsv } from './csv.js'
import { readMail } from './mail.js'
import { bodyOf } from './markup.js'
import { toMarkdown } from './markdown.js'
import { answer, field, isoDate, NO_METADATA, other, reading, type Read, type ReadArgs } from './read.js'

const TYPES: Readonly<Record<string, Format>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'message/rfc822': 'mail',
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
}
const ENDINGS: Readonly<Record<string, Format>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  eml: 'mail',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  tsv: 'csv',
}
const TEXTS = new Set<Format>(['html', 'mail', 'markdown', 'csv', 'text'])
const SNIFFED = 4_096

/** Reads text formats: HTML, messages, Markdown, CSV, and plain text. Runs in the sandbox. */
export default async function readText(bytes: Uint8Array, args: ReadArgs): Promise<Read> {
  if (args.format !== null && !TEXTS.has(args.format)) throw other(args.format, 'text')
  // A byte order mark would be detected as MPEG audio.
  const type = isMarked(bytes) ? undefined : await fileTypeFromBuffer(bytes.subarray(0, SNIFFED))
  if (type !== undefined && !/^(?:text\/|application\/(?:xml|json)|message\/|image\/svg)/.test(type.mime)) refuse(type.mime, args)
  const named = namedCharset(args.contentType)
  const format = args.format ?? formatOf(bytes, args)
  if (format === 'mail') return await reading('message', () => readMail(bytes, args))
  const text = decoded(bytes, named)
  if (format === 'html') return await reading('HTML document', () => html(text, args))
  if (format === 'csv') return await reading('table of text', () => readCsv(text, args))
  return answer(format, {
    text: text.trim(),
    title: format === 'markdown' ? field(/^#\s+(.{1,300})$/m.exec(text.slice(0, 20_000))?.[1]) : null,
    links: addresses(text),
  })
}

function isMarked([one, two]: Uint8Array): boolean {
  return (one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)
}

function refuse(mime: string, { format }: ReadArgs): never {
  if (format !== null) throw other(format, mime)
  if (mime === 'application/rtf') throw new Fault('missing', 'Documents of the format rtf are not read: convert the file first.')
  throw new Fault('invalid', `The file is ${mime}, which is not a readable document.`)
}

/** By media type and name, otherwise by the first bytes. */
function formatOf(bytes: Uint8Array, { contentType, ending }: ReadArgs): Format {
  const type = contentType.split(';')[0]?.trim() ?? ''
  const known = TYPES[type] ?? ENDINGS[ending]
  if (known !== undefined) return known
  const start = Buffer.from(bytes.subarray(0, SNIFFED)).toString('latin1').replaceAll('\0', '').trimStart()
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,500}?-->\s*)?<(?:!doctype html|html|head|body)[\s>]/i.test(start)) return 'html'
  const isMail = /^(?:Return-Path|Received|Delivered-To|From|To|Date|Subject|Message-ID|MIME-Version|X-[\w-]+): /i.test(start)
  return isMail && /^(?:From|Message-ID|MIME-Version): /im.test(start) && /^[\w-]+:[^]*?\r?\n\r?\n/.test(start) ? 'mail' : 'text'
}

function html(text: string, args: ReadArgs): Read {
  const { html: body, title, language, meta, links } = bodyOf(text)
  const of = (...names: string[]): string | null => names.map((name) => field(meta.get(name))).find((value) => value !== null) ?? null
  return answer('html', {
    title: title ?? of('og:title'),
    language,
    metadata: {
      ...NO_METADATA,
      author: of('author', 'article:author', 'dc.creator'),
      keywords: of('keywords'),
      description: of('description', 'og:description'),
      created: isoDate(of('article:published_time', 'date', 'dc.date')),
      modified: isoDate(of('article:modified_time', 'last-modified')),
      producer: of('generator'),
    },
    text: toMarkdown(body),
    html: args.html ? body : null,
    links,
  })
}

function addresses(text: string): string[] {
  return (text.slice(0, 500_000).match(/https?:\/\/[^\s<>"'`)\]}]{1,2000}/gi) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ''))
}
