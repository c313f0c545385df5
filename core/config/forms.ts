import ipaddr from 'ipaddr.js'
import type { FormKind } from '../../config/definition.js'
import { readPlace } from '../files/s3/place.js'
import { parseRange } from '../runtime/address-range.js'
import { AllowList } from '../outbound/allow.js'
import { checkServer, readServiceHost } from '../outbound/name-servers.js'
import { redisAddress } from '../redis/address.js'
import { parseUrl } from '../sdk/index.js'
import { ConfigError } from '../problems/errors.js'

/** The fault of a text, to follow the setting's name; `''` where its expectation suffices, null without a fault. */
type FormFault = string | null

const HOST_NAME = /^(?!.*\.\.)[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?\.?$/i
/** A name whose last label is a number is a mistyped address. */
const LAST_NUMBER = /(?:^|\.)\d+\.?$/

const FORMS: Readonly<Record<FormKind, (text: string) => FormFault>> = {
  host: (text) => (isHost(text) ? null : ''),
  url: (text) => (isWebAddress(text) ? null : ''),
  origin: originFault,
  network: (text) => refusedBy(() => parseRange(text)),
  allowed: (text) => refusedBy(() => new AllowList([text])),
  resolver: (text) => refusedBy(() => checkServer(text)),
  service: (text) => refusedBy(() => readServiceHost(text, '', 1)),
  store: (text) => (text.startsWith('sqlite:') ? null : mongoFault(text)),
  redis: redisFault,
  artifacts: (text) => (text.startsWith('file:') ? null : placeFault(text)),
}

/** Checks a text with the parser that the gateway uses at its start. */
export function formFault(kind: FormKind, text: string): FormFault {
  return FORMS[kind](text)
}

/** True for an http or https URL with a host and a valid port. */
export function isWebAddress(text: string): boolean {
  const url = parseUrl(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}

function isHost(text: string): boolean {
  return ipaddr.isValid(text) ? !/^\d+$/.test(text) : HOST_NAME.test(text) && !LAST_NUMBER.test(text)
}

function originFault(text: string): FormFault {
  if (text === '*') return null
  const url = parseUrl(text)
  if (url === null) return ''
  if (url.hostname.includes('*')) return `never matches "${text}": use * alone for every origin, or name each`
  if (!/^https?:$/.test(url.protocol)) return /:\/\/[^/?#]+$/.test(text) ? null : ''
  if (url.origin === text) return null
  return `never matches "${text}": browsers send it as ${url.origin}`
}

function refusedBy(read: () => unknown): FormFault {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

/** Checks the syntax only: the driver parses the rest when it connects. */
function mongoFault(text: string): FormFault {
  const [, service, place = ''] = /^mongodb(\+srv)?:\/\/(?:[^/?]*@)?([^/?]*)/.exec(text) ?? []
  const hosts = place.split(',')
  if (service !== undefined)
    return hosts.length === 1 && HOST_NAME.test(place) ? null : 'needs one host name without a port after mongodb+srv://'
  const wrong = hosts.find((host) => !/^[^:]+%2F[^:]*\.sock$/i.test(host) && refusedBy(() => readServiceHost(host, '', 1)) !== null)
  const [, path = ''] = /^mongodb:\/\/[^/?]*\/([^?]*)/.exec(text) ?? []
  if (wrong === undefined && !path.includes('@')) return null
  // A supposed host may be the rest of a password that was not encoded.
  return text.includes('@')
    ? 'has a host that is not host[:port]; in user and password / ? # @ : and % are written as %2F %3F %23 %40 %3A %25'
    : `names ${JSON.stringify(wrong ?? path)}, which is not host[:port]`
}

function redisFault(text: string): FormFault {
  try {
    redisAddress(text, '')
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.problems[0]?.message ?? ''
    throw error
  }
}

function placeFault(text: string): FormFault {
  try {
    readPlace(text)
    return null
  } catch (error) {
    if (error instanceof RangeError) return error.message.replace(/^the artifacts setting \(CAPSTAN_ARTIFACTS\) /, '')
    throw error
  }
}
