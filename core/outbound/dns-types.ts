import { Fault, type DnsData, type DnsType } from '../sdk/index.js'

/** Numbers of record types (IANA, DNS parameters). */
const NUMBERS: Readonly<Record<keyof DnsData, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DNAME: 39,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  CAA: 257,
}
const OPT = 41
/** Query types such as zone transfers and `ANY` (RFC 6895 3.1). */
const META = { first: 128, last: 255 } as const

/** The number of a type. Throws Fault `broken` for one that cannot be queried. */
export function typeNumber(type: DnsType): number {
  const known = new Map<string, number>(Object.entries(NUMBERS))
  const number = known.get(type) ?? Number(/^TYPE(\d{1,5})$/.exec(type)?.[1] ?? NaN)
  const named = [...known].find(([name, each]) => each === number && name !== type)
  if (named !== undefined) throw cannot(type, `its name is ${named[0]}`)
  if (!(number > 0 && number <= 0xffff) || number === OPT || (number >= META.first && number <= META.last))
    throw cannot(type, `known: ${[...known.keys()].join(', ')} and TYPE with a number`)
  return number
}

function cannot(type: string, internal: string): Fault {
  return new Fault('broken', `records of type ${type} cannot be queried`, { internal })
}
