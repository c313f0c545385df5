import type { IncomingMessage } from 'node:http'
import { Problem } from '../../problems/problem.js'
import { printable } from '../body.js'
import { withParameters } from './parameters.js'
import { malformed, REMEDY } from './part-head.js'

/** A valid boundary (RFC 2046, 5.1.1). */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/
/** Most bytes of a form around its file. */
const MOST_AROUND = 64 * 1024

/**
 * The boundary of a request's form, from its headers. Throws `unsupported-media-type` for another body,
 * `malformed-request` for an invalid boundary, `payload-too-large` when the declared length exceeds `mostBytes`.
 */
export function boundaryOf({ headers }: IncomingMessage, mostBytes: number): string {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw otherBody('an uncompressed body', encoding)
  const type = withParameters(headers['content-type'] ?? '')
  if (type?.value !== 'multipart/form-data') throw otherBody('a body with Content-Type: multipart/form-data', type?.value || 'none')
  const boundary = type.parameters.get('boundary') ?? ''
  if (!BOUNDARY.test(boundary)) throw malformed('Content-Type names no boundary of 1 to 70 characters (RFC 2046)')
  if (Number(headers['content-length'] ?? 0) > mostBytes + MOST_AROUND) throw tooLarge(mostBytes)
  return boundary
}

/** The refusal of a file that is too large. */
export function tooLarge(mostBytes: number, cause?: unknown): Problem {
  return new Problem('payload-too-large', `The file is larger than ${mostBytes} bytes, the most that may be uploaded (limits.upload).`, {
    action: 'Send a smaller file, or ask the operator for a higher limit.',
    ...(cause === undefined ? {} : { cause }),
  })
}

function otherBody(what: string, sent: string): Problem {
  return new Problem('unsupported-media-type', `This endpoint accepts ${what}, not ${printable(sent)}.`, { action: REMEDY })
}
