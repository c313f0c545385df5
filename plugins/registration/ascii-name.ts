import { domainToASCII } from 'node:url'

/** Letters and digits of any script, their marks, hyphens and full stops; below a domain also underscores. */
const NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u
/** Full stops of other scripts, which IDNA maps to one. */
const STOPS = /[\u3002\uff0e\uff61]/g
const LONGEST = 253

/** Why a text is not a name, with the sentence for it, without its subject. */
export const NAME_FAULTS = {
  'not-bare': 'give a bare name such as example.com, without scheme, port, path or blanks',
  'dot-at-end': 'a name has no dot at either end and no empty part',
  'empty-part': 'a name has no dot at either end and no empty part',
  characters: 'it is not a domain name',
  idna: 'it is not a domain name',
  long: 'it is not a domain name',
} as const
export type NameFault = keyof typeof NAME_FAULTS

/** A name as A-labels in lower case (IDNA, UTS 46), or why it is invalid. Its labels are not checked individually. */
export function asciiName(text: string): { readonly ascii: string } | { readonly fault: NameFault } {
  if (/[:/?#@\\\s]/.test(text)) return { fault: 'not-bare' }
  const plain = text.replace(STOPS, '.')
  if (plain.endsWith('.')) return { fault: 'dot-at-end' }
  if (plain.startsWith('.') || plain.includes('..')) return { fault: 'empty-part' }
  if (!NAME.test(plain)) return { fault: 'characters' }
  const ascii = domainToASCII(plain)
  if (ascii === '') return { fault: 'idna' }
  return ascii.length > LONGEST ? { fault: 'long' } : { ascii }
}
