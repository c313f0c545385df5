import { canonical } from './address.js'
import type { DnsType, ServiceBinding } from '../sdk/index.js'
import type { Answer, TxtData } from 'dns-packet'

const KEYS = { mandatory: 0, alpn: 1, noDefaultAlpn: 2, port: 3, ipv4: 4, ech: 5, ipv6: 6 } as const
const NAMED: ReadonlySet<number> = new Set(Object.values(KEYS))

/** Decodes an SVCB or HTTPS record (RFC 9460 2.2). Throws a RangeError when it is malformed. */
export function readServiceBinding(data: Buffer): ServiceBinding {
  const { name: target, end } = readName(data, 2)
  const parameters = readParameters(data, end)
  const value = (key: number): Buffer => parameters.get(key) ?? Buffer.alloc(0)
  const port = parameters.get(KEYS.port)
  return {
    priority: data.readUInt16BE(0),
    target,
    alpn: texts(value(KEYS.alpn)),
    defaultAlpn: !parameters.has(KEYS.noDefaultAlpn),
    port: port === undefined ? null : port.readUInt16BE(0),
    ipv4: pieces(value(KEYS.ipv4), 4).map((bytes) => bytes.join('.')),
    ipv6: pieces(value(KEYS.ipv6), 16).map(address),
    ech: parameters.has(KEYS.ech),
    mandatory: pieces(value(KEYS.mandatory), 2).map((bytes) => bytes.readUInt16BE(0)),
    other: Object.fromEntries(
      [...parameters].filter(([key]) => !NAMED.has(key)).map(([key, bytes]) => [`key${key}`, bytes.toString('hex')]),
    ),
  }
}

/** A name without compression, which this record must not use. */
function readName(data: Buffer, from: number): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = from
  for (;;) {
    const length = data.readUInt8(at)
    if (length > 63) throw new RangeError('a compressed name in a service binding')
    at += 1 + length
    if (at > data.length) throw new RangeError('a name beyond the end of its record')
    if (length === 0) return { name: labels.length === 0 ? '.' : labels.join('.'), end: at }
    labels.push(data.toString('utf8', at - length, at))
  }
}

function readParameters(data: Buffer, from: number): ReadonlyMap<number, Buffer> {
  const found = new Map<number, Buffer>()
  for (let at = from, last = -1; at < data.length;) {
    const key = data.readUInt16BE(at)
    const end = at + 4 + data.readUInt16BE(at + 2)
    if (key <= last || end > data.length) throw new RangeError('malformed parameters of a service binding')
    found.set(key, data.subarray(at + 4, end))
    last = key
    at = end
  }
  return found
}

function texts(data: Buffer): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < data.length;) {
    const end = at + 1 + data.readUInt8(at)
    if (end > data.length) throw new RangeError('a text beyond the end of its parameter')
    found.push(data.toString('latin1', at + 1, end))
    at = end
  }
  return found
}

function pieces(data: Buffer, size: number): readonly Buffer[] {
  if (data.length % size !== 0) throw new RangeError('a parameter of a service binding has a wrong length')
  return Array.from({ length: data.length / size }, (_, index) => data.subarray(index * size, (index + 1) * size))
}

function address(bytes: Buffer): string {
  const text = pieces(bytes, 2)
    .map((piece) => piece.toString('hex'))
    .join(':')
  return canonical(text) ?? text
}

/** The value of a record in the form of DnsData. Throws an Error for one that cannot be decoded. */
export function dataOf(record: Answer, type: DnsType): unknown {
  switch (record.type) {
    case 'TXT':
      return textOf(record.data)
    case 'SOA':
      return { ...record.data, rname: record.data.rname.replace(/(?<!\\)\./, '@').replaceAll('\\.', '.') }
    case 'CAA':
      return { flags: record.data.flags ?? 0, tag: record.data.tag, value: record.data.value }
    case 'DS':
      return { ...record.data, digest: hex(record.data.digest) }
    case 'DNSKEY': {
      const { flags, algorithm, key } = record.data
      return { flags, algorithm, key: key.toString('base64') }
    }
    case 'RRSIG': {
      const { originalTTL, signersName, signature, ...rest } = record.data
      return { ...rest, originalTtl: originalTTL, signer: signersName, signature: signature.toString('base64') }
    }
    case 'NSEC':
      return { next: record.data.nextDomain, types: record.data.rrtypes }
    case 'TLSA':
      return { ...record.data, certificate: hex(record.data.certificate) }
    case 'SSHFP': {
      const fingerprint: unknown = record.data.fingerprint
      return { ...record.data, fingerprint: Buffer.isBuffer(fingerprint) ? hex(fingerprint) : fingerprint }
    }
    case 'OPT':
      throw new Error('an OPT record among the answers')
    default:
      return otherOf(record.data, type)
  }
}

function otherOf(data: unknown, type: DnsType): unknown {
  if (!Buffer.isBuffer(data)) {
    if (type.startsWith('TYPE')) throw new Error(`${type} is not read as bytes`)
    return data
  }
  return type === 'SVCB' || type === 'HTTPS' ? readServiceBinding(data) : hex(data)
}

function textOf(data: TxtData): string {
  const chunks = Array.isArray(data) ? data : [data]
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
  const text = bytes.toString()
  return text.includes('\ufffd') && !bytes.includes('\ufffd') ? bytes.toString('latin1') : text
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}
