import { createHash } from 'node:crypto'
import { canonicalLinkedIn } from './linkedin.js'
import { companyKey, folded } from './names.js'

/** The identifying data of a request or a record. */
interface Whom {
  readonly linkedin_url: string | null
  readonly names: readonly string[]
  readonly companies: readonly string[]
}

/** Returns a predicate for the list of people who are never looked up. */
export function suppression(list: readonly string[]): (whom: Whom) => boolean {
  const entries = new Set(list.map(entry))
  if (entries.size === 0) return () => false
  return (whom) => subjects(whom).some((subject) => entries.has(subject) || entries.has(`sha256:${hash(subject)}`))
}

/** The SHA-256, in hexadecimal, of `in/NAME` or `first last|company`, as in the list. */
function hash(subject: string): string {
  return createHash('sha256').update(subject).digest('hex')
}

function subjects({ linkedin_url: address, names, companies }: Whom): string[] {
  const slug = address === null ? null : slugOf(address)
  const named = names.flatMap((name) => companies.map((company) => `${folded(name)}|${companyKey(company)}`))
  return [...(slug === null ? [] : [`in/${slug}`]), ...named]
}

function entry(text: string): string {
  if (/^sha256:/i.test(text)) return text.toLowerCase()
  const slug = slugOf(`https://www.linkedin.com/${text}`)
  return slug === null ? text.toLowerCase() : `in/${slug}`
}

/** The name in an address, decoded. */
function slugOf(address: string): string | null {
  const canonical = canonicalLinkedIn(address)
  return canonical === null ? null : decodeURIComponent(canonical.slice(canonical.lastIndexOf('/') + 1))
}
