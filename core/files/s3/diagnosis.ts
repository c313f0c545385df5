import type { S3Failure } from './failure.js'
import type { S3Place } from './place.js'

export type S3Action = 'write' | 'read' | 'delete' | 'find'

const SETTING = 'the artifacts setting (CAPSTAN_ARTIFACTS)'
const PERMISSIONS: Readonly<Record<S3Action, string>> = {
  write: 's3:PutObject',
  read: 's3:GetObject',
  delete: 's3:DeleteObject',
  find: 's3:ListBucket, without which a missing file cannot be distinguished from a forbidden one',
}

/** One line for the operator: the problem and the setting to change. `now` is our wall clock in Unix milliseconds. */
export function diagnosis(failure: S3Failure, action: S3Action, { place, now }: { place: S3Place; now: number }): string {
  const { status, code, region, serverTime } = failure.facts
  const where = `bucket "${place.bucket}" at ${new URL(place.base).origin}`
  if (status === null) return unreachable(code, where)
  if (elsewhere(status, code, region, place)) return inRegion(region, place, where)
  switch (code) {
    case 'NoSuchBucket':
      return `there is no ${where}: create it, or correct ${SETTING}`
    case 'InvalidAccessKeyId':
      return `the ${where} does not accept the access key: correct CAPSTAN_S3_ACCESS_KEY_ID`
    case 'SignatureDoesNotMatch':
      return `the ${where} refused the signature: correct CAPSTAN_S3_SECRET_ACCESS_KEY`
    case 'ExpiredToken':
    case 'InvalidToken':
    case 'TokenRefreshRequired':
      return `the ${where} refused the session token (${code}): renew CAPSTAN_S3_SESSION_TOKEN, or omit it with permanent credentials`
    case 'RequestTimeTooSkewed':
    case 'RequestExpired':
      return `the clock of this machine is ${skew(now, serverTime)} the one of the ${where}: set the system time`
    case 'NoSuchKey':
      return `the ${where} did not return what was just written: it must be strongly consistent`
    case 'AccessDenied':
      return `the ${where} does not let this key ${action}: grant ${PERMISSIONS[action]}`
  }
  if (status === 404) return `there is no ${where}: create it, or correct ${SETTING}`
  if (status === 403) return `the ${where} does not let this key ${action} (${code || status}): grant ${PERMISSIONS[action]}`
  if (status >= 300 && status < 400) return `the ${where} redirects: correct the endpoint in ${SETTING}`
  return `the ${where} answered ${status}${code === '' ? '' : ` ${code}`} to a ${action}: ${failure.transient ? 'try again, and check its own log' : `check ${SETTING}`}`
}

function unreachable(code: string, where: string): string {
  const why = new Map([
    ['ENOTFOUND', 'its name is unknown'],
    ['ECONNREFUSED', 'nothing listens there'],
    ['ETIMEDOUT', 'it did not answer in time'],
  ]).get(code)
  return `the ${where} cannot be reached (${why ?? (code || 'the connection failed')}): check the endpoint in ${SETTING} and the network`
}

function elsewhere(status: number, code: string, region: string | undefined, place: S3Place): boolean {
  if (code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' || code === 'IllegalLocationConstraintException') return true
  return (status === 301 || status === 307 || status === 400) && region !== undefined && region !== place.region
}

function inRegion(region: string | undefined, place: S3Place, where: string): string {
  const named = region === undefined ? 'another region' : `region ${region}`
  return `the ${where} is in ${named}, not ${place.region}: set region=${region ?? '…'} in ${SETTING}`
}

function skew(now: number, serverTime: number | undefined): string {
  if (serverTime === undefined) return 'too far from'
  const seconds = Math.round(Math.abs(now - serverTime) / 1000)
  return `${seconds} s ${now > serverTime ? 'ahead of' : 'behind'}`
}
