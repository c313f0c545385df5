import { cutToTokens, tokensOf, type CutText } from '../_shared/tokens.js'
import type { Question } from './ask.js'

/** Tokens per picture, and per byte of PDF: a page of 50 kB has about 2,000 (vendors' guides to images and PDF). */
const PICTURE = 1_600
const PDF_BYTES = 25
/** Tokens of a vendor's overhead around the parts of a question. */
const AROUND = 200
/** With room for less of a document, a model is not used. */
const LEAST = 200

/** Tokens of the context left for the document. */
function roomFor({ system, prompt, schema, files, max_tokens: answer }: Question, context: number): number {
  const written = tokensOf(system ?? '') + tokensOf(prompt) + (schema === null ? 0 : 2 * tokensOf(JSON.stringify(schema)))
  return context - answer - written - attachedTokens({ files }) - AROUND
}

/** Estimated tokens of a question's files. */
export function attachedTokens({ files }: Pick<Question, 'files'>): number {
  return files.reduce(
    (sum, { file, content_type }) => sum + (content_type === 'application/pdf' ? Math.ceil(file.size / PDF_BYTES) : PICTURE),
    0,
  )
}

/** True when the question, and enough of its document if any, fits in a context of so many tokens. */
export function hasRoom(question: Question, context: number): boolean {
  const { document } = question
  return roomFor(question, context) >= (document === null ? 0 : Math.min(LEAST, tokensOf(document)))
}

/** As much of the document as fits. */
export function documentFor(question: Question, context: number): CutText {
  const { document, keep } = question
  return document === null ? { text: '', truncated: false } : cutToTokens(document, Math.max(0, roomFor(question, context)), { keep })
}
