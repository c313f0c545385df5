import { TextDecoder } from 'node:util'
import { overLimit } from '../sdk/json-structure.js'
import type { Call } from '../sdk/index.js'
import { mediaType } from './page.js'
import { parseJson } from './safe-json.js'

/** Of a vendor's reply in JSON: more than any has, and few enough to be handed over by a thread. */
const REPLY_LIMITS = { parts: 100_000, depth: 500 }
/** Replies above one of these are read in a worker. */
const SMALL = { bytes: 512 * 1024, parts: 10_000 }

/** A body as it was asked for, and as a vendor's own reading gets it: JSON where it was JSON, else text, else bytes. */
export interface ReadBody {
  readonly body: unknown
  /** False when the reply could not be read as the call wanted. */
  readonly fits: boolean
}

/** How a reply's bytes are to be read. */
export interface ReplyForm {
  /** The header Content-Type. */
  readonly header: string | undefined
  readonly reads: NonNullable<Call['reads']>
  /** The status is one of success. */
  readonly ok: boolean
}

/** True for a reply that takes so long to read that it does not belong on the main thread; bytes that stay bytes do not. */
export function isLargeReply(bytes: Uint8Array, { header, reads, ok }: ReplyForm): boolean {
  if (bytes.length <= SMALL.parts) return false
  if (reads === 'bytes' && (ok || !/^text\/|[/+]json$/.test(mediaType(header).contentType))) return false
  if (bytes.length > SMALL.bytes) return true
  return overLimit(bytes, { parts: SMALL.parts, depth: REPLY_LIMITS.depth }) !== null
}

/**
 * Reads a reply's bytes. Nothing is thrown: a violation still has a body, for the vendor's own reading of its errors. `release` is called
 * before JSON is made of the text, when the bytes are not needed any more.
 */
export function readBody(bytes: Uint8Array, { header, reads, ok }: ReplyForm, release: () => void = () => undefined): ReadBody {
  const { contentType, charset } = mediaType(header)
  const json = /[/+]json$/.test(contentType)
  if (reads === 'json') return asJson(bytes, charset, release)
  if (ok && reads === 'bytes') return { body: bytes, fits: true }
  if (ok && reads === 'ndjson') return asLines(bytes, charset)
  if (!ok && json) return { ...asJson(bytes, charset, release), fits: true }
  if (reads === 'bytes' && !contentType.startsWith('text/')) return { body: bytes, fits: true }
  return { body: text(bytes, charset), fits: true }
}

function asJson(bytes: Uint8Array, charset: string, release: () => void): ReadBody {
  if (isTooMuch(bytes)) return { body: null, fits: false }
  const source = text(bytes, charset)
  if (source.trim() === '') return { body: null, fits: bytes.length === 0 }
  release()
  try {
    return { body: parseJson(source), fits: true }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { body: source, fits: false }
  }
}

function asLines(bytes: Uint8Array, charset: string): ReadBody {
  if (isTooMuch(bytes)) return { body: null, fits: false }
  const source = text(bytes, charset)
  try {
    const lines = source.split('\n').filter((line) => line.trim() !== '')
    return { body: lines.map(parseJson), fits: true }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { body: source, fits: false }
  }
}

/** JSON that would take long to build: no vendor's reply has so many values. Counted right in every encoding in which ASCII is itself. */
function isTooMuch(bytes: Uint8Array): boolean {
  return overLimit(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), REPLY_LIMITS) !== null
}

function text(bytes: Uint8Array, charset: string): string {
  if (charset === '' || charset === 'utf-8' || charset === 'utf8') {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    return source.startsWith('\ufeff') ? source.slice(1) : source
  }
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder('utf-8').decode(bytes)
  }
}
