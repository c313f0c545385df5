import type { Violation } from '../../../core/sdk/index.js'
import { mailDomain } from '../address/domain.js'
import { isFreeMail } from '../lists/free-mail.js'

interface Question {
  readonly first_name: string
  readonly last_name: string
  readonly domain: string
  readonly company?: string | null
}

/** Letters, marks and digits of any script, and separators in names; some scripts require the joiners. */
const NAME = /^[\p{L}\p{M}\p{N}\p{Pd} .,'’‘ʼ`´()"·\u200c\u200d]+$/u
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/u
/** Bidirectional control characters, which can display one name as another. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Normalises the input: single blanks in names, the domain as A-labels in lower case, without `www.`. */
export function inOneForm<Q extends Question>(input: Q): Q {
  const given = mailDomain(input.domain.trim())
  const domain = 'ascii' in given ? withoutWww(given.ascii) : input.domain
  return { ...input, first_name: tidy(input.first_name), last_name: tidy(input.last_name), domain }
}

/** Violations of a normalised input. */
export function violations({ first_name, last_name, domain, company }: Question): Violation[] {
  const found: Violation[] = []
  for (const [field, text] of [
    ['first_name', first_name],
    ['last_name', last_name],
  ] as const) {
    const msg = nameFault(text)
    if (msg !== null) found.push({ loc: [field], msg })
  }
  const msg = domainFault(domain)
  if (msg !== null) found.push({ loc: ['domain'], msg })
  if (company != null && (CONTROL.test(company) || DIRECTION.test(company)))
    found.push({ loc: ['company'], msg: 'must not contain line breaks or control characters' })
  return found
}

function nameFault(text: string): string | null {
  if (CONTROL.test(text) || DIRECTION.test(text)) return 'must not contain line breaks or control characters'
  if (!/\p{L}/u.test(text)) return 'must be a name: it has no letter'
  if (text.includes('@')) return 'must be a name, not a mail address; to check an address use emails.verify'
  return NAME.test(text) ? null : 'must be a name of letters, blanks, hyphens, apostrophes and full stops'
}

function domainFault(text: string): string | null {
  if (text.includes('@')) return 'must be the domain alone, such as example.com: the part after the @'
  if (/[:/?#\\]/.test(text)) return 'must be the domain alone, such as example.com: without scheme, port and path'
  const domain = mailDomain(text)
  if ('why' in domain) return `must be a domain such as example.com: ${domain.why}`
  return isFreeMail(domain.ascii) ? 'must be the domain of a company: this one belongs to a mail service for everybody' : null
}

function withoutWww(domain: string): string {
  const rest = domain.replace(/^www\./, '')
  return rest.includes('.') ? rest : domain
}

/** Line breaks are kept, to be refused. */
function tidy(name: string): string {
  return name
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .replace(/^ | $/g, '')
}
