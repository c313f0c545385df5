import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { bodyOf } from './markup.js'
import { toMarkdown } from './markdown.js'
import { answer, attached, field, isoDate, NO_METADATA, type Read, type ReadArgs } from './read.js'
import { escaped } from './xml.js'

const MAX_ADDRESSES = 100
/** Maximum nesting of messages. */
const MAX_DEPTH = 3
const MAX_MESSAGES = 100

interface File {
  readonly name: string
  readonly content_type: string | null
  readonly bytes: Uint8Array
}

interface Message {
  readonly subject: string | null
  readonly sender: string | null
  readonly date: string | null
  readonly text: string
  readonly html: string
  readonly links: readonly string[]
  readonly files: readonly File[]
}

/** Shared state of a message and its nested ones. */
interface Reading {
  messages: number
  leftOut: number
}

/** Reads a message (RFC 5322, MIME): its header fields, its text, attached messages, and the names of attached files. */
export async function readMail(bytes: Uint8Array, args: ReadArgs): Promise<Read> {
  const reading: Reading = { messages: 0, leftOut: 0 }
  const { subject, sender, date, text, html, links, files } = await messageOf(bytes, 0, reading)
  const { attachments, notes } = attached(files)
  return answer('mail', {
    title: subject,
    metadata: { ...NO_METADATA, author: sender, created: date },
    text,
    html: args.html ? html : null,
    attachments: args.attachments ? attachments : [],
    links,
    notes: [
      ...(args.attachments ? notes : []),
      ...(reading.leftOut === 0
        ? []
        : [
            `${reading.leftOut === 1 ? '1 attached message was' : `${reading.leftOut} attached messages were`} not read: at most ${MAX_MESSAGES}, ${MAX_DEPTH} deep, are.`,
          ]),
    ],
  })
}

async function messageOf(bytes: Uint8Array, depth: number, reading: Reading): Promise<Message> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, forceRfc822Attachments: true })
  const markup = mail.html === undefined || mail.html.trim() === '' ? null : bodyOf(mail.html)
  const text = markup === null ? (mail.text ?? '').trim() : toMarkdown(markup.html)
  const sender = named(mail.from === undefined ? [] : [mail.from])
  const head = [
    ['From', sender],
    ['To', named(mail.to)],
    ['Cc', named(mail.cc)],
    ['Date', isoDate(mail.date) ?? ''],
    ['Subject', mail.subject ?? ''],
  ].filter(([, value]) => value !== '')
  const fields = head.map(([name, value = '']) => `**${name}:** ${value.replace(/\s+/g, ' ')}`).join('  \n')
  const files = mail.attachments.map(fileOf)
  const inner: Message[] = []
  for (const { content_type, bytes: content } of files) {
    if (content_type !== 'message/rfc822' && content_type !== 'message/global') continue
    if (depth >= MAX_DEPTH || reading.messages >= MAX_MESSAGES) reading.leftOut += 1
    else {
      reading.messages += 1
      inner.push(await messageOf(content, depth + 1, reading))
    }
  }
  const own = `<p>${head.map(([name, value = '']) => `<b>${name}:</b> ${escaped(value)}`).join('<br>')}</p>${markup?.html ?? `<pre>${escaped(text)}</pre>`}`
  return {
    subject: field(mail.subject),
    sender: field(sender),
    date: isoDate(mail.date),
    text: [`${fields}\n\n${text}`.trim(), ...inner.map((each) => each.text)].join('\n\n---\n\n'),
    html: [own, ...inner.map((each) => `<blockquote>${each.html}</blockquote>`)].join(''),
    links: [...(markup?.links ?? []), ...inner.flatMap((each) => each.links)],
    files: [...files, ...inner.flatMap((each) => each.files)],
  }
}

function fileOf({ filename, mimeType, content }: Attachment): File {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return { name: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : 'attachment'), content_type: field(mimeType), bytes }
}

function named(addresses: readonly Address[] | undefined): string {
  const flat = (addresses ?? []).flatMap((each) => each.group ?? [each]).slice(0, MAX_ADDRESSES)
  return flat.map(({ name, address }) => (name === '' ? (address ?? '') : `${name} <${address ?? ''}>`)).join(', ')
}
