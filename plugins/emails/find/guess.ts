import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import { mailProviderOf } from '../mail-hosts/provider-of.js'
import type { EmailSettings } from '../settings.js'
import { CONFIDENCE } from './confidence.js'
import type { FindInput, FoundAddress } from './contract.js'
import { CLOSED } from '../verify/smtp/at-mail-host.js'
import { askMailboxes, type Mailboxes } from './mailboxes.js'
import { shownPatterns, localAt } from './names/shown-patterns.js'
import { nameForms } from './names/parts.js'
import { candidatesFor, PATTERNS, type Candidate, type Pattern } from './names/patterns.js'

/** Most mailboxes tried: mail servers close the connection after many unknown ones. */
const MOST_ASKED = 16
const SMTP_MS = 10_000
/** No mail host of the domain has an address, or a public one: mail cannot be delivered. */
const NO_HOST = 'no_dns_entries'
const PORT = ' A network that closes port 25 to this gateway is the usual reason.'
const PLAIN = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/

interface Guesses {
  /** The most likely first; listed addresses before all others. */
  readonly candidates: readonly Candidate[]
  readonly named: ReadonlySet<string>
  readonly suggested: ReadonlySet<string>
  readonly shownPatterns: readonly Pattern[]
}

/** True when there is a candidate and a mail host to ask: a name in a script that can be written in ASCII, or an address from a vendor. */
export function canGuess({ first_name, last_name, domain, suggested, hosts }: FindInput): boolean {
  if (hosts.length === 0) return false
  const { first, last } = nameForms(first_name, last_name, domain)
  return suggested.length > 0 || (first.length > 0 && last.length > 0)
}

/**
 * The person's most likely address, checked at the mail server; null when none of the usual ones exists. Throws the
 * `busy` Fault of the daily limit, and an `inconclusive` one when no mailbox could be confirmed and no address of the
 * domain is known.
 */
export async function guessAddress(input: FindInput, context: ProviderContext<EmailSettings>): Promise<FoundAddress | null> {
  const guesses = guessesFor(input)
  const locals = guesses.candidates.slice(0, MOST_ASKED).map(({ local }) => local)
  if (locals.length === 0) return null
  const { domain, hosts, left_ms } = input
  const probed = await askMailboxes({ domain, hosts, locals, left_ms: Math.min(SMTP_MS, left_ms) }, context)
  const answer = answerOf(probed, guesses, input)
  if (answer === null && probed.state === 'unknown' && probed.sub_status !== NO_HOST)
    throw new Fault(
      'missing',
      `The usual addresses of the name could not be confirmed at the mail server (${probed.sub_status}).${probed.sub_status === CLOSED ? PORT : ''}`,
      {
        inconclusive: true,
      },
    )
  return answer
}

function guessesFor({ first_name, last_name, domain, suggested, patterns, shown }: FindInput): Guesses {
  const forms = nameForms(first_name, last_name, domain)
  const known = [...new Set([...PATTERNS.filter((each) => patterns.includes(each)), ...shownPatterns(shown, domain)])]
  const usual = candidatesFor(forms, known)
  const locals = (addresses: readonly string[]) =>
    addresses.flatMap((address) => localAt(address, domain) ?? []).filter((each) => PLAIN.test(each))
  const onPages = new Set(locals(shown.map(({ address }) => address)))
  const bySuggestion = locals(suggested)
  const isNamed = ({ local, pattern }: Candidate): boolean => onPages.has(local) && pattern !== 'first' && pattern !== 'last'
  const first = [
    ...bySuggestion.map((local): Candidate => usual.find((each) => each.local === local) ?? { local, pattern: 'first.last' }),
    ...usual.filter(isNamed),
  ]
  const candidates = [...new Map([...first, ...usual].map((each) => [each.local, each])).values()]
  return { candidates, named: new Set(first.map(({ local }) => local)), suggested: new Set(bySuggestion), shownPatterns: known }
}

function answerOf(
  probed: Mailboxes,
  { candidates, named, suggested, shownPatterns: known }: Guesses,
  { domain, hosts }: FindInput,
): FoundAddress | null {
  const found = (local: string, status: FoundAddress['verification_status'], confidence: number): FoundAddress => ({
    email: `${local}@${domain}`,
    verification_status: status,
    confidence,
    first_name: null,
    last_name: null,
    notes: [...notesOn(probed, hosts), ...(probed.note === undefined ? [] : [probed.note])],
  })
  const unconfirmed = (local: string, pattern: Pattern): number =>
    named.has(local) ? CONFIDENCE.shown : known.includes(pattern) ? CONFIDENCE.byPattern : CONFIDENCE.usual
  if (probed.state === 'exists') {
    const { local, sure } = probed
    const pattern = candidates.find((each) => each.local === local)?.pattern
    const shown = named.has(local) || (pattern !== undefined && known.includes(pattern))
    if (!sure || mailProviderOf(hosts)?.habit === 'accepts') return found(local, 'valid', CONFIDENCE.acceptedUnsure)
    if (shown) return found(local, 'valid', CONFIDENCE.existsAsShown)
    return found(local, 'valid', pattern === 'first' || pattern === 'last' ? CONFIDENCE.existsOneName : CONFIDENCE.exists)
  }
  if (probed.state === 'any') {
    const [best] = candidates
    return best === undefined ? null : found(best.local, 'catch-all', unconfirmed(best.local, best.pattern))
  }
  const possible = candidates.filter(({ local }) => !probed.refused.includes(local))
  // Without confirmation, only addresses supported by the domain's known ones are returned.
  const [best] = probed.state === 'unknown' ? possible.filter(({ local, pattern }) => named.has(local) || known.includes(pattern)) : []
  if (best !== undefined) return found(best.local, 'unknown', unconfirmed(best.local, best.pattern))
  // Addresses that vendors returned and the mail server rejects must not be returned.
  const wrong = probed.refused.find((local) => suggested.has(local))
  return wrong === undefined ? null : found(wrong, 'invalid', 0)
}

function notesOn(probed: Mailboxes, hosts: readonly string[]): string[] {
  const provider = mailProviderOf(hosts)
  if (probed.state === 'any') return ['The domain takes mail for any name: the address is made by the likeliest pattern and not confirmed.']
  if (probed.state === 'unknown')
    return [
      `The mailbox could not be confirmed (${probed.sub_status}): the address is made by what is shown at the domain.`,
      ...(provider?.habit === 'defers' ? [`${provider.label} puts off senders that it does not know, whoever the recipient is.`] : []),
    ]
  if (probed.state === 'exists' && (provider?.habit === 'accepts' || !probed.sure))
    return ['The mail server accepts the address, but may accept every one at first.']
  return []
}
