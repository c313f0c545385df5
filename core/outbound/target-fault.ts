import { Fault, type Obstacle } from '../sdk/index.js'
import { RequestStopped } from './exchange.js'
import { IntakeError } from './body-decoder.js'
import { codeOf } from '../problems/own-shortage.js'

const REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES'])
const SLOW = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO)/
/** OpenSSL's codes for a rejected certificate (X509_verify_cert_error_string), and Node's for a name mismatch. */
const UNTRUSTED =
  /^(CERT_|UNABLE_TO_|ERROR_IN_CERT|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERR_TLS_CERT_ALTNAME)/

/**
 * The Fault of a failed fetch of a caller's target. Always `blocked` or `missing`: the target's failures never count against a provider.
 * A target that cannot be reached, does not answer in time or closes the connection is `unavailable`. `maxBytes` is the limit to name
 * when the body was too large.
 */
export function targetFault(error: unknown, maxBytes: number): Fault {
  if (Fault.is(error)) return error
  const internal = `web: ${codeOf(error) || (error instanceof Error ? error.name : 'failed')}`
  const refusal = refusalOf(error, maxBytes)
  const obstacle = obstacleOf(error)
  return new Fault('blocked', refusal ?? absence(error), {
    internal,
    cause: error,
    unavailable: refusal === null,
    ...(obstacle === null ? {} : { obstacle }),
  })
}

function obstacleOf(error: unknown): Obstacle | null {
  if (error instanceof IntakeError) return error.problem === 'large' ? 'too-large' : null
  if (error instanceof RequestStopped) return error.reason === 'client-gone' || error.reason === 'shutdown' ? null : 'silent'
  const code = codeOf(error)
  if (UNTRUSTED.test(code)) return 'untrusted'
  return REFUSED.has(code) ? 'refused' : SLOW.has(code) ? 'silent' : null
}

/** The sentence for a permanent failure; null for one that may be temporary. */
function refusalOf(error: unknown, maxBytes: number): string | null {
  if (error instanceof IntakeError)
    return error.problem === 'large'
      ? `the address answered with more than ${maxBytes} bytes, which is the limit`
      : `refused: ${error.message}`
  const code = codeOf(error)
  if (UNTRUSTED.test(code)) return `the certificate of the address is not trusted: ${code}`
  if (TLS.test(code)) return 'the address has no valid TLS certificate or does not support TLS'
  return code === 'UND_ERR_HEADERS_OVERFLOW' ? 'the address answered with headers that are too large' : null
}

function absence(error: unknown): string {
  if (error instanceof RequestStopped)
    return error.reason === 'client-gone' || error.reason === 'shutdown' ? 'the fetch was stopped' : 'the address did not answer in time'
  const code = codeOf(error)
  if (REFUSED.has(code)) return 'the address refused the connection'
  if (SLOW.has(code)) return 'the address did not answer in time'
  if (code === 'EPROXY') return 'the address could not be reached through the upstream proxy'
  return 'the address closed the connection before its answer was complete'
}
