import type { FileKind } from '../../sdk/index.js'
import type { FileHead } from '../kind.js'
import { officeKind, signedKind } from './signed-kind.js'
import { textKind, textOf } from './text-kind.js'

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
