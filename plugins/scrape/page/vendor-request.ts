import { Fault } from '../../../core/sdk/index.js'
import type { Question } from '../contract.js'

/** Time of one try at a remote vendor: the page's own and a margin for transfer. */
export function remoteTimeout({ timeout }: Question): number {
  return timeout * 1000 + 8_000
}

/**
 * Refuses addresses that no vendor could reach and that must not be disclosed: private addresses and local network
 * names. Names are not resolved here: the vendor resolves them externally, where internal names have no meaning.
 */
export function refusePrivate(url: string): void {
  const { hostname } = new URL(url)
  if (isLocalName(hostname) || isPrivateNumber(hostname)) throw new Fault('blocked', 'the address is not public')
}

function isLocalName(host: string): boolean {
  if (host.startsWith('[')) return false
  return (
    !host.includes('.') ||
    /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)\.?$/i.test(host)
  )
}

function isPrivateNumber(host: string): boolean {
  // IPv6: only 2000::/3 is public, without the documentation, Teredo and 6to4 ranges.
  if (host.startsWith('[')) return !/^\[[23][0-9a-f]{3}:/i.test(host) || /^\[(?:2001:(?:0|db8)?:|2002:)/i.test(host)
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)
  if (parts === null) return false
  const [a = 0, b = 0, c = 0] = parts.slice(1).map(Number)
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true
  if ((a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32)) return true
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) return true
  return (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) || (a === 203 && b === 0 && c === 113)
}
