import { programsOf, type Vendor } from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'
import { parseUrl } from '../sdk/url.js'

const VENDOR_ID = /^[a-z0-9][a-z0-9-]*$/
const VARIABLE = /^[A-Z][A-Z0-9_]*$/

/** Fields that are objects of texts, each with an example, for plugins in JavaScript. */
const TEXTS = {
  hosts: "{ files: 'https://files.example.com' }",
  secrets: "{ api_key: 'EXAMPLE_API_KEY' }",
  optionalSecrets: "{ api_key: 'EXAMPLE_API_KEY' }",
  programs: "{ ffmpeg: 'ffmpeg' }, a program and its Debian package",
  anyProgram: "{ ffmpeg: 'ffmpeg' }, a program and its Debian package",
  optionalPrograms: "{ ffmpeg: 'ffmpeg' }, a program and its Debian package",
  headers: "{ accept: 'application/json' }",
} as const

/** The fault of a vendor's definition, or null. */
export function vendorFault(vendor: Vendor, plainHttp: boolean): string | null {
  const { id, baseUrl, hosts = {}, needsUrl } = vendor
  if (!VENDOR_ID.test(id)) return `the vendor id "${id}" is not words of a-z, 0-9 and -`
  for (const [name, example] of Object.entries(TEXTS))
    if (name in vendor && !isTexts(Reflect.get(vendor, name))) return `vendor ${id} has ${name} in another form than ${example}`
  const wrong = [baseUrl, ...Object.values(hosts)].find((url) => url !== undefined && !isAddress(url))
  if (wrong !== undefined) return `vendor ${id} has the address "${wrong}", which is not an http(s) address without a query`
  if (plainHttp && baseUrl === undefined && needsUrl !== true)
    return `vendor ${id} is called over HTTP but has neither baseUrl nor needsUrl`
  const pace = paceFault(vendor)
  if (pace !== null) return pace
  if (vendor.probe !== undefined && !(vendor.probe.program in programsOf(vendor)))
    return `vendor ${id} is probed with the program "${vendor.probe.program}", which it does not declare`
  const variable = variablesOf(vendor).find((name) => !VARIABLE.test(name) || name.startsWith('CAPSTAN_'))
  return variable === undefined
    ? null
    : `vendor ${id} reads the variable "${variable}", which is not a name like ${id.toUpperCase().replaceAll('-', '_')}_API_KEY outside CAPSTAN_`
}

/** Most request times that are tracked for a pace. */
const MOST_REQUESTS = 100_000

function paceFault({ id, pace }: Vendor): string | null {
  if (pace === undefined) return null
  const { requests, perMs, concurrent = 1 } = pace
  const whole = [requests, perMs, concurrent].every((number) => Number.isSafeInteger(number) && number >= 1)
  return whole && requests <= MOST_REQUESTS
    ? null
    : `vendor ${id} has a pace whose numbers are not all whole and from 1 on, with at most ${MOST_REQUESTS} requests`
}

/** Variables of every secret a vendor declares. */
export function variablesOf({ secrets = {}, optionalSecrets = {} }: Vendor): string[] {
  return [...Object.values(secrets), ...Object.values(optionalSecrets)]
}

/** True when two definitions are equal: the same object, or equal data and equal source of their functions. */
export function sameVendor(a: Vendor, b: Vendor): boolean {
  return a === b || canonical(a) === canonical(b)
}

/** A value as text with sorted keys; functions by their source. */
export function canonical(value: unknown): string {
  if (typeof value === 'function') return `function ${Function.prototype.toString.call(value)}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`
}

function isTexts(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.values(value).every((each) => typeof each === 'string'))
}

function isAddress(text: string): boolean {
  if (parseUrl(text) === null) return false
  const url = new URL(text)
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.search === '' && url.hash === '' && url.username === ''
}
