/** Values of DNS records by type. Names have no trailing dot, the root is `.`; bytes are lower-case hexadecimal. */
export interface DnsData {
  A: string
  AAAA: string
  CNAME: string
  DNAME: string
  NS: string
  PTR: string
  /** The strings of one record, joined; UTF-8, or Latin-1 if the bytes are not valid UTF-8. */
  TXT: string
  MX: { readonly preference: number; readonly exchange: string }
  /** `rname` is the mailbox as an address; times in seconds. */
  SOA: {
    readonly mname: string
    readonly rname: string
    readonly serial: number
    readonly refresh: number
    readonly retry: number
    readonly expire: number
    readonly minimum: number
  }
  SRV: { readonly priority: number; readonly weight: number; readonly port: number; readonly target: string }
  NAPTR: {
    readonly order: number
    readonly preference: number
    readonly flags: string
    readonly services: string
    readonly regexp: string
    readonly replacement: string
  }
  /** RFC 8659; bit 7 of `flags` is "critical". */
  CAA: { readonly flags: number; readonly tag: string; readonly value: string }
  DS: { readonly keyTag: number; readonly algorithm: number; readonly digestType: number; readonly digest: string }
  /** RFC 4034 2; the key in base64. */
  DNSKEY: { readonly flags: number; readonly algorithm: number; readonly key: string }
  /** Times in Unix seconds; the signature in base64. */
  RRSIG: {
    readonly typeCovered: string
    readonly algorithm: number
    readonly labels: number
    readonly originalTtl: number
    readonly expiration: number
    readonly inception: number
    readonly keyTag: number
    readonly signer: string
    readonly signature: string
  }
  NSEC: { readonly next: string; readonly types: readonly string[] }
  /** RFC 6698. */
  TLSA: { readonly usage: number; readonly selector: number; readonly matchingType: number; readonly certificate: string }
  SSHFP: { readonly algorithm: number; readonly hash: number; readonly fingerprint: string }
  SVCB: ServiceBinding
  HTTPS: ServiceBinding
}

/** RFC 9460. `priority` 0 is an alias of `target`; the target `.` is the owner itself. */
export interface ServiceBinding {
  readonly priority: number
  readonly target: string
  readonly alpn: readonly string[]
  /** False if the protocol's default is not served. */
  readonly defaultAlpn: boolean
  readonly port: number | null
  readonly ipv4: readonly string[]
  readonly ipv6: readonly string[]
  /** An ECH configuration is published. */
  readonly ech: boolean
  /** Numbers of the mandatory keys, and unknown keys as `keyN` with their bytes. */
  readonly mandatory: readonly number[]
  readonly other: Readonly<Record<string, string>>
}

/** A type by name, or `TYPE` with its number (RFC 3597) for an unknown one, whose values are hexadecimal. */
export type DnsType = keyof DnsData | `TYPE${number}`

export type DnsValue<T extends DnsType> = T extends keyof DnsData ? DnsData[T] : string

/** The answer of a name server. */
export interface DnsAnswer<T extends DnsType> {
  /** `NXDOMAIN`: the name does not exist; `NOERROR` without records: it exists but has none of this type. */
  readonly status: 'NOERROR' | 'NXDOMAIN'
  /** Records of the requested type, also behind aliases. `ttl` in seconds. */
  readonly records: readonly { readonly name: string; readonly ttl: number; readonly data: DnsValue<T> }[]
  /** Targets of the CNAMEs that were followed, in order; empty for a query of CNAME itself. */
  readonly aliases: readonly string[]
  /**
   * The name server validated the answer by DNSSEC (the AD bit, RFC 6840 5.7). As trustworthy as the network path to
   * that server: the setting `net.dns` should name one on this machine.
   */
  readonly authenticated: boolean
}
