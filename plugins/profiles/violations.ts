import type { Violation } from '../../core/sdk/index.js'
import { readLinkedIn } from './linkedin.js'

interface GivenPerson {
  readonly linkedin_url?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly company?: string | undefined
}

const LABELS = { first_name: 'the first name', last_name: 'the last name', company: 'the company (its name or domain)' } as const

/** Violations: an address that is not a person's, or an incomplete name and company. */
export function violations(given: GivenPerson): Violation[] {
  if (given.linkedin_url !== undefined) {
    const reading = readLinkedIn(given.linkedin_url)
    return 'problem' in reading ? [{ loc: ['linkedin_url'], msg: reading.problem }] : []
  }
  const absent = (['first_name', 'last_name', 'company'] as const).filter((field) => given[field] === undefined)
  if (absent.length === 3)
    return [{ loc: ['linkedin_url'], msg: 'must be given, or else first_name, last_name and company', type: 'missing' }]
  return absent.map((field) => ({ loc: [field], msg: messageOf(field, given), type: 'missing' }))
}

function messageOf(field: keyof typeof LABELS, { first_name: first }: GivenPerson): string {
  const needed = `must be given: without linkedin_url a person is found by first_name, last_name and company, and ${LABELS[field]} is missing`
  const whole = field === 'last_name' && /\S\s+\S/.test(first ?? '')
  return whole ? `${needed}; when first_name holds the whole name, its last part belongs here` : needed
}
