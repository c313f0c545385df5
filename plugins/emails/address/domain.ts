import { asciiName, type NameFault } from '../../registration/contract.js'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const CHARACTERS = 'the domain has characters that no domain has'
const WHY: Readonly<Record<NameFault, string>> = {
  'not-bare': CHARACTERS,
  characters: CHARACTERS,
  'dot-at-end': 'the domain ends with a dot',
  'empty-part': 'the domain has two dots in a row, or begins with one',
  idna: 'the domain is no domain name (IDNA)',
  long: 'the domain is longer than 255 octets',
}

/** A mail domain as A-labels in lower case (IDNA, UTS 46), or why it is invalid; no DNS query is sent. */
export function mailDomain(text: string): { readonly ascii: string } | { readonly why: string } {
  if (text === '') return { why: 'there is no domain behind the @' }
  if (text.startsWith('[')) return { why: 'an address in brackets stands in place of a domain, to which mail is not sent by name' }
  if (text.includes('_')) return { why: CHARACTERS }
  const read = asciiName(text)
  if ('fault' in read) return { why: WHY[read.fault] }
  const labels = read.ascii.split('.')
  if (labels.length < 2) return { why: 'the domain has no dot' }
  const wrong = labels.find((label) => !LABEL.test(label))
  if (wrong !== undefined)
    return { why: wrong.length > 63 ? 'a label of the domain is longer than 63 octets' : 'a label of the domain is malformed' }
  if (/^\d+$/.test(labels.at(-1) ?? '')) return { why: 'the domain ends in a number, as an IP address does' }
  return read
}
