import { toMarkdown } from './markdown.js'
import { answer, field, isoDate, type Read, type ReadArgs } from './read.js'
import { elementsOf, escaped, readXml, textOf } from './xml.js'
import type { Unpacked } from './zip.js'

const MAX_REPEATED = 50
/** Elements whose content is not part of the text as it is read. */
const LEFT_OUT = new Set([
  'tracked-changes',
  'annotation',
  'forms',
  'styles',
  'automatic-styles',
  'font-face-decls',
  'scripts',
  'desc',
  'sequence-decls',
])
const PLAIN: Readonly<Record<string, string>> = { list: 'ul', 'list-item': 'li', table: 'table', 'table-row': 'tr', notes: 'blockquote' }

/** Reads a text document or presentation in OpenDocument format (ISO/IEC 26300). */
export function readOdf(format: 'odt' | 'odp', files: Unpacked, args: ReadArgs): Read {
  const { html, links, slides } = bodyOf(files.get('content.xml'))
  const meta = elementsOf(files.get('meta.xml'))
  const statistic = meta.find(({ name }) => name === 'document-statistic')?.attributes ?? {}
  const pages = Number(statistic['meta:page-count'])
  return answer(format, {
    title: field(textOf(meta, 'title')),
    language: field(textOf(meta, 'language')),
    metadata: {
      author: field(textOf(meta, 'initial-creator') ?? textOf(meta, 'creator')),
      subject: field(textOf(meta, 'subject')),
      keywords: field(
        meta
          .filter(({ name }) => name === 'keyword')
          .map(({ text }) => text)
          .join(', '),
      ),
      description: field(textOf(meta, 'description')),
      created: isoDate(textOf(meta, 'creation-date')),
      modified: isoDate(textOf(meta, 'date')),
      producer: field(textOf(meta, 'generator')),
    },
    pages: format === 'odp' ? slides : Number.isSafeInteger(pages) && pages > 0 ? pages : null,
    text: toMarkdown(html),
    html: args.html ? html : null,
    links,
  })
}

function bodyOf(bytes: Buffer | undefined): { html: string; links: string[]; slides: number } {
  const out: string[] = []
  const links: string[] = []
  const closing: string[] = []
  let [skipped, slides] = [0, 0]
  const open = (name: string, attributes: Readonly<Record<string, string>>): string => {
    const put = (opening: string, end: string): string => {
      out.push(opening)
      return end
    }
    const plain = PLAIN[name]
    if (plain !== undefined) return put(`<${plain}>`, `</${plain}>`)
    if (name === 'h') {
      const level = Math.min(6, Math.max(1, Number(attributes['text:outline-level']) || 1))
      return put(`<h${level}>`, `</h${level}>`)
    }
    if (name === 'p') return put('<p>', '</p>')
    if (name === 'page') {
      slides += 1
      return put(slides === 1 ? '<section>' : '<hr><section>', '</section>')
    }
    if (name === 'table-cell') {
      const times = Math.min(MAX_REPEATED, Number(attributes['table:number-columns-repeated']) || 1)
      return put('<td>', `</td>${'<td></td>'.repeat(Math.max(0, times - 1))}`)
    }
    if (name === 'covered-table-cell') return put('<td>', '</td>')
    if (name === 'a') {
      const target = attributes['xlink:href'] ?? ''
      if (!/^https?:/i.test(target)) return ''
      links.push(target)
      return put(`<a href="${escaped(target)}">`, '</a>')
    }
    if (name === 's') return put(' '.repeat(Math.min(MAX_REPEATED, Number(attributes['text:c']) || 1)), '')
    if (name === 'tab') return put('\t', '')
    if (name === 'line-break') return put('<br>', '')
    if (name === 'note') return put(' (', ')')
    return ''
  }
  if (bytes !== undefined)
    readXml(bytes, {
      open: (name, attributes) => {
        if (skipped > 0 || LEFT_OUT.has(name)) skipped += 1
        else closing.push(open(name, attributes))
      },
      text: (text) => {
        if (skipped === 0) out.push(escaped(text))
      },
      close: () => {
        if (skipped > 0) skipped -= 1
        else out.push(closing.pop() ?? '')
      },
    })
  return { html: out.join(''), links, slides }
}
