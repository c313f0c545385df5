import { domainToASCII } from 'node:url'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** Letters and digits of any script, their marks, hyphens and full stops, also the ones of other scripts that IDNA maps to a full stop. */
const NAME = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u

/** A mail domain as A-labels in lower case (IDNA, UTS 46), or why it is none; no question is asked. */
export function mailDomain(text: string): { readonly ascii: string } | { readonly why: string } {
  if (text === '') return { why: 'there is no domain behind the @' }
  if (text.startsWith('[')) return { why: 'an address in brackets stands in place of a domain, to which mail is not sent by name' }
  if (!NAME.test(text)) return { why: 'the domain has characters that no domain has' }
  const ascii = domainToASCII(text)
  if (ascii === '') return { why: 'the domain is no domain name (IDNA)' }
  if (ascii.length > 253) return { why: 'the domain is longer than 255 octets' }
  if (ascii.endsWith('.')) return { why: 'the domain ends with a dot' }
  const labels = ascii.split('.')
  if (labels.length < 2) return { why: 'the domain has no dot' }
  const wrong = labels.find((label) => !LABEL.test(label))
  if (wrong === '') return { why: 'the domain has two dots in a row, or begins with one' }
  if (wrong !== undefined)
    return { why: wrong.length > 63 ? 'a label of the domain is longer than 63 octets' : 'a label of the domain is malformed' }
  if (/^\d+$/.test(labels.at(-1) ?? '')) return { why: 'the domain ends in a number, as an IP address does' }
  return { ascii }
}
