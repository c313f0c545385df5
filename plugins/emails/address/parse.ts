import { mailDomain } from './domain.js'

/** A syntactically valid mail address (RFC 5321, RFC 6531). */
export interface Address {
  /** The local part as given, in Unicode NFC, with its quotes. */
  readonly local: string
  /** A-labels in lower case. */
  readonly domain: string
  /** `local@domain`, as sent to mail servers. */
  readonly address: string
  /** The local part has non-ASCII characters, which requires SMTPUTF8. */
  readonly international: boolean
}

/** Why a text is not a mail address, as a sentence without the address. */
export interface AddressRefusal {
  readonly why: string
}

const LOCAL_OCTETS = 64
/** RFC 5321 4.5.3.1.3: a path has 256 octets with its angle brackets. */
const ADDRESS_OCTETS = 254
/** RFC 5322 atext with the additions of RFC 6531: no control characters, separators, or invisible characters. */
const ATOM = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|(?![\0-\x7f])[\p{L}\p{M}\p{N}\p{P}\p{S}])+$/u
/** RFC 5321 quoted-string: qtextSMTP, also in other scripts, and quoted pairs. */
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e]|(?![\0-\x7f])[\p{L}\p{M}\p{N}\p{P}\p{S}])*"$/u

/** Parses an address by RFC 5321: a dot-atom or a quoted string before the @. Comments and folding white space of RFC 5322 are refused. */
export function parseAddress(text: string): Address | AddressRefusal {
  const at = endOfLocal(text)
  if (at === -1) return { why: text.includes('@') ? 'the quotes of the local part do not end before the @' : 'there is no @' }
  const local = text.slice(0, at).normalize('NFC')
  const why = localRefusal(local)
  if (why !== null) return { why }
  const rest = text.slice(at + 1)
  if (rest.includes('@')) return { why: 'there is more than one @' }
  if (/[()]/.test(rest)) return { why: 'comments in parentheses are not taken' }
  const domain = mailDomain(rest)
  if ('why' in domain) return domain
  const address = `${local}@${domain.ascii}`
  if (Buffer.byteLength(address) > ADDRESS_OCTETS) return { why: `the address is longer than ${String(ADDRESS_OCTETS)} octets` }
  // eslint-disable-next-line no-control-regex -- every character outside ASCII is meant
  return { local, domain: domain.ascii, address, international: /[^\x00-\x7f]/.test(local) }
}

/** Position of the @ that ends the local part; an @ in quotes is an ordinary character. */
function endOfLocal(text: string): number {
  if (!text.startsWith('"')) return text.indexOf('@')
  for (let place = 1; place < text.length; place++) {
    if (text[place] === '\\') place++
    else if (text[place] === '"') return text[place + 1] === '@' ? place + 1 : -1
  }
  return -1
}

function localRefusal(local: string): string | null {
  if (local === '') return 'there is nothing before the @'
  if (Buffer.byteLength(local) > LOCAL_OCTETS) return `the local part is longer than ${String(LOCAL_OCTETS)} octets`
  if (local.startsWith('"')) {
    if (local === '""') return 'there is nothing between the quotes'
    return QUOTED.test(local) ? null : 'the quoted local part has characters that are not allowed there'
  }
  if (/[()]/.test(local)) return 'comments in parentheses are not taken'
  if (local.startsWith('.') || local.endsWith('.')) return 'the local part begins or ends with a dot'
  if (local.includes('..')) return 'the local part has two dots in a row'
  return local.split('.').every((atom) => ATOM.test(atom)) ? null : 'the local part has characters that are not allowed without quotes'
}
