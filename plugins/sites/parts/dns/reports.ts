import { parseUrl, type Services } from '../../../../core/sdk/index.js'
import type { Bimi, TlsRpt } from '../../shapes/dns.js'
import { textsLike, textsOf, unanswered } from './records.js'
import { readTags } from './tags.js'

const MOST_ADDRESSES = 20

/**
 * Where TLS reports of mail are sent (RFC 8460); null without a record. Throws a `blocked` Fault that is
 * `unavailable` when nothing answers.
 */
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
 * The logo for mail clients, of the name or its registrable domain; null without one. Throws a `blocked` Fault that
 * is `unavailable` when nothing answers.
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
