import { isIP } from 'node:net'
import { addressBytes, block, canonical, within, type Block } from './address.js'
import { parseUrl } from '../sdk/url.js'

/** Non-public targets that the operator allows: `host[:port]`, an address, or a CIDR block. */
export class AllowList {
  readonly #names = new Map<string, Set<number | null>>()
  readonly #blocks: { readonly block: Block; readonly port: number | null }[] = []

  /** Throws a RangeError that names the first invalid entry. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry.trim(), entry)
  }

  #add(entry: string, written: string): void {
    if (/^[^[\]]+\/\d+$/.test(entry)) {
      this.#blocks.push({ block: readBlock(entry, written), port: null })
      return
    }
    const { host, port } = split(entry, written)
    const bytes = addressBytes(canonical(host) ?? '')
    if (bytes !== null) {
      this.#blocks.push({ block: { bytes, bits: bytes.length * 8 }, port })
      return
    }
    const ports = this.#names.get(host) ?? new Set()
    this.#names.set(host, ports.add(port))
  }

  /** True when the name itself is allowed for this port. */
  name(host: string, port: number): boolean {
    const ports = this.#names.get(host)
    return ports !== undefined && (ports.has(null) || ports.has(port))
  }

  /** True when the address is allowed for this port; an IPv4 entry also covers the IPv4-mapped form. */
  address(address: string, port: number): boolean {
    const bytes = addressBytes(canonical(address) ?? '')
    return bytes !== null && this.#blocks.some((entry) => (entry.port === null || entry.port === port) && within(bytes, entry.block))
  }
}

function readBlock(entry: string, written: string): Block {
  try {
    return block(entry)
  } catch (error) {
    throw refuse(written, error)
  }
}

function split(entry: string, written: string): { host: string; port: number | null } {
  if (isIP(entry) === 6) return { host: entry, port: null }
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]/@?#\\\s]+)(?::(\d{1,5}))?$/i.exec(entry)
  const port = parts?.[2] === undefined ? null : Number(parts[2])
  if (parts?.[1] === undefined || (port !== null && (port < 1 || port > 65535)) || parseUrl(`http://${parts[1]}/`) === null)
    throw refuse(written)
  const host = bareHost(new URL(`http://${parts[1]}/`).hostname)
  if (isIP(host) === 0 && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) throw refuse(written)
  return { host, port }
}

function refuse(entry: string, cause?: unknown): RangeError {
  return new RangeError(`outbound.allow_private: "${entry}" is not host[:port], an address or a CIDR block such as 10.0.0.0/8`, { cause })
}

/** The host of a parsed URL without brackets and without the trailing dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
