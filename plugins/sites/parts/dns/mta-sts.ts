import { Fault, type Services } from '../../../../core/sdk/index.js'
import type { MtaSts } from '../../shapes/dns.js'
import { textsLike } from './records.js'
import { readTags } from './tags.js'

const MODES = ['enforce', 'testing', 'none']
const POLICY_BYTES = 64 << 10
const POLICY_MS = 4_000
const LONGEST_AGE = 31_557_600
const MOST_LINES = 500
const MOST_HOSTS = 100

interface StsPolicy {
  readonly mode: string | null
  readonly mx: string[]
  readonly max_age: number | null
  readonly problems: string[]
}

/** Result of the MTA-STS check. */
interface StsReport {
  /** Null when there is no record. */
  readonly sts: MtaSts | null
  /** The policy was not received in time, so its content is unknown. */
  readonly silent: boolean
}

/**
 * MTA-STS of a domain: its record, and the policy on its web server. Throws a `blocked` Fault that is `unavailable`
 * when the name servers did not answer.
 */
export async function mtaStsOf(domain: string, mailHosts: readonly string[], ctx: Services): Promise<StsReport> {
  const records = await textsLike(`_mta-sts.${domain}`, /^v=STSv1\s*(?:;|$)/, ctx)
  const [record] = records
  if (record === undefined) return { sts: null, silent: false }
  const { tags, problems: faults } = readTags(record)
  const problems = [...faults]
  if (records.length > 1) problems.push(`There are ${String(records.length)} MTA-STS records; senders take none of several.`)
  const id = tags.get('id') ?? null
  if (id === null || !/^[a-z0-9]{1,32}$/i.test(id)) problems.push('The id is not 1 to 32 letters and digits.')
  const { silent, ...policy } = await policyOf(domain, ctx)
  const hosts = mailHosts.filter((host) => host !== '.' && host !== '').slice(0, MOST_HOSTS)
  const strangers = policy.mode === null ? [] : hosts.filter((host) => !policy.mx.some((pattern) => hostMatches(host, pattern)))
  for (const host of strangers.slice(0, 10)) problems.push(`The mail server ${host} is not in the policy.`)
  return { sts: { id, ...policy, problems: [...problems, ...policy.problems] }, silent }
}

/** The policy file, over https from the host defined by RFC 8461 3.3, without redirects; an unavailable one is a problem. */
async function policyOf(domain: string, ctx: Services): Promise<StsPolicy & { readonly silent: boolean }> {
  const failed = (problem: string, silent = false) => ({ mode: null, mx: [], max_age: null, problems: [problem], silent })
  try {
    const page = await ctx.web.get(`https://mta-sts.${domain}/.well-known/mta-sts.txt`, {
      maxBytes: POLICY_BYTES,
      timeoutMs: POLICY_MS,
      maxRedirects: 0,
    })
    if (page.status !== 200) return failed(`The policy cannot be fetched: the server answers with status ${String(page.status)}.`)
    const policy = parsePolicy(Buffer.from(page.bytes).toString())
    if (page.contentType !== 'text/plain') policy.problems.push('The policy is not served as text/plain.')
    return { ...policy, silent: false }
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return failed(`The policy cannot be fetched: ${error.message.replace(/\.$/, '')}.`, error.obstacle === 'silent')
  }
}

/** Parses a policy by RFC 8461 3.2. Never throws. */
export function parsePolicy(text: string): StsPolicy {
  const problems: string[] = []
  const fields = text.split(/\r?\n/, MOST_LINES).flatMap((line) => {
    const colon = line.indexOf(':')
    return colon === -1 ? [] : [{ key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }]
  })
  const first = (key: string): string | undefined => fields.find((field) => field.key === key)?.value
  const mode = first('mode')
  const age = first('max_age') ?? ''
  const mx = fields.flatMap(({ key, value }) => (key === 'mx' ? [value.toLowerCase()] : [])).slice(0, MOST_HOSTS)
  if (first('version') !== 'STSv1') problems.push('The version of the policy is not STSv1.')
  if (mode === undefined || !MODES.includes(mode)) problems.push('The mode is none of enforce, testing and none.')
  const aged = /^\d{1,10}$/.test(age) && Number(age) <= LONGEST_AGE
  if (!aged) problems.push(`The max_age is no number of seconds up to ${String(LONGEST_AGE)}.`)
  else if (Number(age) < 86_400 && mode !== 'none') problems.push('The max_age is less than a day.')
  if (mx.length === 0 && mode !== 'none') problems.push('The policy names no mail server.')
  return { mode: mode !== undefined && MODES.includes(mode) ? mode : null, mx, max_age: aged ? Number(age) : null, problems }
}

/** A name, or `*.` and a name for one more label (RFC 8461 4.1). */
export function hostMatches(host: string, pattern: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  const wanted = pattern.toLowerCase().replace(/\.$/, '')
  return wanted.startsWith('*.') ? name.slice(name.indexOf('.') + 1) === wanted.slice(2) && name.includes('.') : name === wanted
}
