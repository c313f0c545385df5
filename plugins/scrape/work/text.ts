import { addresses } from './addresses.js'
import { LIMITS } from './limits.js'
import { textOf, type Source } from './source.js'

export interface TextInput {
  /** A text, or its pages. */
  readonly parts: readonly Source[]
  readonly output: 'markdown' | 'html'
}

/** A text as content of an answer; `content` is empty for an empty text. */
export interface TextRead {
  readonly content: string
  /** Web addresses in the text. */
  readonly links: readonly string[]
}
export type TextOutput = TextRead | { readonly limit: string }

/** Reads one text. Runs in a worker thread: the text is untrusted, and up to 5 MB are decoded and searched. */
export default function readText({ parts, output }: TextInput): TextOutput {
  const text = parts
    .map((part) => textOf(part).replaceAll('\r\n', '\n').trim())
    .filter((part) => part !== '')
    .join('\n\n')
  if (text.length > LIMITS.bytes) return { limit: `the page is larger than ${LIMITS.bytes} characters` }
  return { content: output === 'html' && text !== '' ? `<pre>${escapeHtml(text)}</pre>` : text, links: addresses(text) }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
