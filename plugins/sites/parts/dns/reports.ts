import { parseUrl, type Services } from '../../../../core/sdk/index.js'
import type { Bimi, TlsRpt } from '../../shapes/dns.js'
import { textsLike, textsOf, unanswered } from './records.js'
import { readTags } from './tags.js'

const MOST_ADDRESSES = 20

/** Where reports on TLS of mail go (RFC 8460); null when nothing says so. Throws a `blocked` Fault that is `unavailable` when nobody answers. */
export async function tlsRptOf(domain: string, ctx: Services): Promise<TlsRpt | null> {
  const records = await textsLike(`_smtp._tls.${domain}`, /^v=TLSRPTv1\s*(?:;|$)/, ctx)
  const [record] = records
  if (record === undefined) return null
  const { tags, problems: faults } = readTags(record)
  const problems = [...faults]
  if (records.length > 1) problems.push(`There are ${String(records.length)} TLS-RPT records; senders take none of several.`)
  const addresses = (tags.get('rua') ?? '').split(',', MOST_ADDRESSES).map((address) => address.trim())
  const reports = addresses.filter((address) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/i.test(address))
  if (reports.length < addresses.length) problems.push('rua is no list of mailto: and https: addresses.')
  return { record, reports, problems }
}

/**
 * The mark that mail readers may show, of the name or of the registrable domain above it; null when there is none. Throws a `blocked` Fault that is
 * `unavailable` when nobody answers.
 */
export async function bimiOf({ domain, registrable }: { domain: string; registrable: string }, ctx: Services): Promise<Bimi | null> {
  const names = [...new Set([domain, registrable])]
  const answers = await Promise.all(names.map((name) => textsOf(`default._bimi.${name}`, ctx)))
  const own = answers.findIndex((texts) => texts === null || texts.some(isBimi))
  const texts = answers[own]
  if (texts === undefined) return null
  if (texts === null) throw unanswered()
  const records = texts.filter(isBimi)
  const [record = ''] = records
  const { tags, problems: faults } = readTags(record)
  const problems = [...faults]
  if (records.length > 1) problems.push(`There are ${String(records.length)} BIMI records.`)
  const [logo, certificate] = [tags.get('l') ?? '', tags.get('a') ?? '']
  if (logo === '') problems.push(certificate === '' ? 'The domain declines to show a mark.' : 'The record names no logo.')
  for (const [what, address] of [['logo', logo] as const, ['certificate', certificate] as const])
    if (address !== '' && address !== 'self' && !isHttps(address)) problems.push(`The address of the ${what} is not https.`)
  return { record, logo_url: isHttps(logo) ? logo : null, certificate_url: isHttps(certificate) ? certificate : null, problems }
}

function isBimi(text: string): boolean {
  return /^v=BIMI1\s*(?:;|$)/.test(text)
}

function isHttps(address: string): boolean {
  return parseUrl(address)?.protocol === 'https:'
}
