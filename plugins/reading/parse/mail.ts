import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { bodyOf } from './markup.js'
import { toMarkdown } from './markdown.js'
import { answer, attached, field, isoDate, NO_METADATA, type Read, type ReadArgs } from './read.js'
import { escaped } from './xml.js'

const MAX_ADDRESSES = 100

/** Reads a message (RFC 5322, MIME): its header fields, its text, and which files it carries. */
export async function readMail(bytes: Uint8Array, args: ReadArgs): Promise<Read> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 3 })
  const markup = mail.html === undefined || mail.html.trim() === '' ? null : bodyOf(mail.html)
  const text = markup === null ? (mail.text ?? '').trim() : toMarkdown(markup.html)
  const head = [
    ['From', named(mail.from === undefined ? [] : [mail.from])],
    ['To', named(mail.to)],
    ['Cc', named(mail.cc)],
    ['Date', isoDate(mail.date) ?? ''],
    ['Subject', mail.subject ?? ''],
  ].filter(([, value]) => value !== '')
  const fields = head.map(([name, value = '']) => `**${name}:** ${value.replace(/\s+/g, ' ')}`).join('  \n')
  const files = attached(mail.attachments.map(fileOf))
  const body = markup?.html ?? `<pre>${escaped(text)}</pre>`
  return answer('mail', {
    title: field(mail.subject),
    metadata: { ...NO_METADATA, author: field(named(mail.from === undefined ? [] : [mail.from])), created: isoDate(mail.date) },
    text: `${fields}\n\n${text}`.trim(),
    html: args.html ? `<p>${head.map(([name, value = '']) => `<b>${name}:</b> ${escaped(value)}`).join('<br>')}</p>${body}` : null,
    attachments: args.attachments ? files.attachments : [],
    links: markup?.links ?? [],
    notes: args.attachments ? files.notes : [],
  })
}

function fileOf({ filename, mimeType, content }: Attachment): { name: string; content_type: string | null; bytes: Uint8Array } {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return { name: filename ?? 'attachment', content_type: field(mimeType), bytes }
}

function named(addresses: readonly Address[] | undefined): string {
  const flat = (addresses ?? []).flatMap((each) => each.group ?? [each]).slice(0, MAX_ADDRESSES)
  return flat.map(({ name, address }) => (name === '' ? (address ?? '') : `${name} <${address ?? ''}>`)).join(', ')
}
