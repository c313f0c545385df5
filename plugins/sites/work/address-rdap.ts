import ipaddr from 'ipaddr.js'
import { listAt, textsIn, valueAt } from '../../_shared/value-at.js'

/** The used part of an RDAP record of an address (RFC 9083 5.4). */
export interface AddressRecord {
  readonly organisation: string | null
  readonly country: string | null
}

type Task = { readonly list: Uint8Array; readonly ip: string } | { readonly record: Uint8Array }

/**
 * For a list, the address of the server for an IP address (RFC 9224 5), or null; for a record, its content, or null
 * for another document.
 */
export default function read(task: Task): string | AddressRecord | null {
  return 'list' in task ? serverOf(jsonOf(task.list), task.ip) : recordOf(jsonOf(task.record))
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function serverOf(list: unknown, ip: string): string | null {
  const address = ipaddr.parse(ip)
  let best: { readonly bits: number; readonly base: string } | null = null
  for (const service of listAt(list, 'services')) {
    const [networks = [], urls = []] = Array.isArray(service) ? service.map(textsIn) : []
    const base = urls.find((url) => /^https:/i.test(url)) ?? urls.find((url) => /^http:/i.test(url))
    if (base === undefined || base.length > 500) continue
    for (const network of networks) {
      if (!ipaddr.isValidCIDR(network)) continue
      const [start, bits] = ipaddr.parseCIDR(network)
      if (start.kind() === address.kind() && address.match([start, bits]) && bits > (best?.bits ?? -1)) best = { bits, base }
    }
  }
  return best?.base ?? null
}

function recordOf(record: unknown): AddressRecord | null {
  if (textAt(record, 'objectClassName') !== 'ip network') return null
  const registrant = listAt(record, 'entities').find((entity) => textsIn(valueAt(entity, 'roles')).includes('registrant'))
  const country = textAt(record, 'country')
  return {
    organisation: nameOn(registrant) ?? textAt(record, 'name'),
    country: country !== null && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : null,
  }
}

/** The `fn` of a jCard (RFC 7095). */
function nameOn(entity: unknown): string | null {
  const card = valueAt(entity, 'vcardArray')
  const rows: unknown = Array.isArray(card) ? card[1] : null
  if (!Array.isArray(rows)) return null
  const row: unknown = rows.find((each) => Array.isArray(each) && each[0] === 'fn')
  const name: unknown = Array.isArray(row) ? row[3] : null
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : null
}

function textAt(value: unknown, key: string): string | null {
  const text = valueAt(value, key)
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, 200) : null
}
