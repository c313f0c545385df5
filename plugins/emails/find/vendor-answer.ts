import { parseAddress } from '../address/parse.js'
import { textOrNull } from '../verify/vendor-values.js'
import type { FoundAddress } from './contract.js'

const ASCII = /^[\x20-\x7e]+$/
const LONGEST_NAME = 100

/** A vendor's result, in its own types. */
interface Named {
  readonly email: unknown
  readonly status: FoundAddress['verification_status']
  readonly confidence: number
  readonly first?: unknown
  readonly last?: unknown
}

/** A vendor's answer in the common form; null when it has no address, or none at exactly the requested domain. */
export function answerAt(domain: string, { email, status, confidence, first, last }: Named): FoundAddress | null {
  const text = textOrNull(email)
  if (text === null || !ASCII.test(text)) return null
  const address = parseAddress(text)
  if ('why' in address || address.domain !== domain) return null
  return {
    email: address.address,
    verification_status: status,
    confidence: Math.min(100, Math.max(0, Math.round(confidence))),
    first_name: nameOf(first),
    last_name: nameOf(last),
    notes: [],
  }
}

function nameOf(value: unknown): string | null {
  const text = textOrNull(value)
  return text === null || text.length > LONGEST_NAME || /\p{Cc}/u.test(text) ? null : text
}
