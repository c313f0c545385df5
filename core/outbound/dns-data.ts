import type { Answer, TxtData } from 'dns-packet'
import type { DnsType } from '../sdk/index.js'
import { readServiceBinding } from './dns-svcb.js'

/** The value of a record in the form of DnsData. Throws an Error for one that is malformed or that the library cannot decode. */
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
