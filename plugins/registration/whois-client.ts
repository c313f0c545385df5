import { Fault, type Services } from '../../core/sdk/index.js'
import type { Hosts } from './hosts.js'
import { unanswered, unlisted } from './unanswered.js'
import { queryOf } from './whois-servers.js'
import type { WhoisQuestion, WhoisReading } from './work/whois.js'
import { hostOf } from './work/words.js'

const PORT = 43
const MAX_BYTES = 1024 * 1024
const WORK_MS = 3_000
const OPERATORS = 'net.whois'
const READER = new URL('work/whois.js', import.meta.url)

interface WhoisQuery {
  readonly host: string
  readonly domain: string
  readonly timeoutMs: number
  /** The first query, for which the operator's own server may be used. */
  readonly first: boolean
  /** The server name is a guess. */
  readonly guessed?: boolean
}

export interface WhoisAnswer {
  /** The answering server; `net.whois` for the operator's own, whose host must not be disclosed. */
  readonly server: string
  /** True when the operator's own server answered. */
  readonly own: boolean
  readonly text: string
  readonly reading: WhoisReading
}

/**
 * Queries one WHOIS server, on port 43 regardless of a referral's port. Throws a `busy` Fault when the server cannot
 * be reached, requests a pause, or its answer is truncated or too long; an `inconclusive` one when its address may
 * not be connected to, or a guessed server has none.
 */
export async function queryWhois(ask: WhoisQuery, context: Services, hosts: Hosts): Promise<WhoisAnswer> {
  const { host, domain } = ask
  hosts.check(host)
  const { text, asked } = await talk(ask, context)
  const reading = await readingOf({ text, domain, server: asked }, context)
  if (reading.verdict.is === 'busy') throw hosts.rest(host, reading.verdict.retryAfterSeconds)
  if (reading.verdict.is === 'cut') throw unanswered(`The answer of the WHOIS server ${host} broke off.`)
  const own = asked !== host
  return { server: own ? OPERATORS : host, own, text, reading }
}

async function readingOf(question: WhoisQuestion, context: Services): Promise<WhoisReading> {
  try {
    return await context.work<WhoisReading>(READER, question, { timeoutMs: WORK_MS })
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    throw unanswered('The answer of the WHOIS server could not be read.', { cause: error })
  }
}

async function talk(
  { host, domain, timeoutMs, first, guessed = false }: WhoisQuery,
  context: Services,
): Promise<{ text: string; asked: string }> {
  try {
    const lines = await context.net.connect(host, PORT, { timeoutMs, maxBytes: MAX_BYTES, ...(first ? { firstWhois: true } : {}) })
    try {
      await lines.write(lines.host === host ? queryOf(host, domain) : domain)
      return { text: await lines.readAll(), asked: lines.host }
    } finally {
      lines.close()
    }
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    if (error.kind !== 'blocked' && error.kind !== 'missing') throw error
    const message = `The WHOIS server ${host} could not be queried: ${error.message}.`
    throw error.obstacle === 'private' || (guessed && error.kind === 'missing') ? unlisted(message) : unanswered(message, { cause: error })
  }
}

/** The host of a referral, in any of the registrars' notations; null for a web page, an address or another protocol. */
export function referredHost(text: string | null): string | null {
  const [, scheme = 'whois', rest = ''] = /^(?:([a-z]+):\/\/)?([^/:\s]+)/i.exec(text?.trim() ?? '') ?? []
  return scheme.toLowerCase() === 'whois' ? hostOf(rest) : null
}
