import { TextDecoder } from 'node:util'
import { overLimit } from '../sdk/json-structure.js'
import type { Call } from '../sdk/index.js'
import { mediaType } from './page.js'
import { parseJson } from './safe-json.js'

/** Of a vendor's reply in JSON. */
const REPLY_LIMITS = { parts: 400_000, depth: 500 }

/** A body as it was asked for, and as a vendor's own reading gets it: JSON where it was JSON, else text, else bytes. */
export interface ReadBody {
  readonly body: unknown
  /** False when the reply could not be read as the call wanted. */
  readonly fits: boolean
}

/** Reads a reply's bytes. Nothing is thrown: a misfit still has a body, for the vendor's own reading of its errors. */
export function readBody(bytes: Uint8Array, header: string | undefined, reads: NonNullable<Call['reads']>, ok: boolean): ReadBody {
  const { contentType, charset } = mediaType(header)
  const json = /[/+]json$/.test(contentType)
  if (reads === 'json') return asJson(bytes, charset)
  if (ok && reads === 'bytes') return { body: bytes, fits: true }
  if (ok && reads === 'ndjson') return asLines(bytes, charset)
  if (!ok && json) return { ...asJson(bytes, charset), fits: true }
  if (reads === 'bytes' && !contentType.startsWith('text/')) return { body: bytes, fits: true }
  return { body: text(bytes, charset), fits: true }
}

function asJson(bytes: Uint8Array, charset: string): ReadBody {
  if (isTooMuch(bytes)) return { body: null, fits: false }
  const source = text(bytes, charset)
  if (source.trim() === '') return { body: null, fits: bytes.length === 0 }
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
