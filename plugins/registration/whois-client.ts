import { Fault, type Services } from '../../core/sdk/index.js'
import type { Hosts } from './hosts.js'
import { unanswered } from './unanswered.js'
import { queryOf } from './whois-servers.js'
import type { WhoisQuestion, WhoisReading } from './work/whois.js'
import { hostOf } from './work/words.js'

const PORT = 43
const MAX_BYTES = 1024 * 1024
const WORK_MS = 3_000
const OPERATORS = 'net.whois'
const READER = new URL('work/whois.js', import.meta.url)

interface WhoisAsk {
  readonly host: string
  readonly domain: string
  readonly timeoutMs: number
  /** Nobody was asked before, so that the operator's own server may take its place. */
  readonly first: boolean
}

export interface WhoisAnswer {
  /** Who answered; `net.whois` for the operator's own server, whose host is nobody else's business. */
  readonly server: string
  /** True when the operator's own server answered. */
  readonly own: boolean
  readonly text: string
  readonly reading: WhoisReading
}

/**
 * One question to one WHOIS server, on port 43 whatever a referral says. Throws a `busy` Fault while the server does not answer or asks for a pause,
 * `missing` when its address may not be reached, or its answer is too long.
 */
export async function askWhois({ host, domain, timeoutMs, first }: WhoisAsk, context: Services, hosts: Hosts): Promise<WhoisAnswer> {
  hosts.check(host)
  const { text, asked } = await talk({ host, domain, timeoutMs, first }, context)
  const reading = await readingOf({ text, domain, server: asked }, context)
  if (reading.verdict.is === 'busy') throw hosts.rest(host, reading.verdict.retryAfterSeconds)
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

async function talk({ host, domain, timeoutMs, first }: WhoisAsk, context: Services): Promise<{ text: string; asked: string }> {
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
    if (error.kind === 'blocked' && error.unavailable)
      throw unanswered(`The WHOIS server ${host} did not answer: ${error.message}.`, { cause: error })
    if (error.kind === 'blocked' || error.kind === 'missing')
      throw new Fault('missing', `The WHOIS server ${host} could not be asked: ${error.message}.`, { cause: error })
    throw error
  }
}

/** The host that a referral names, in any of the forms registrars write; null for a page of the web, an address or another protocol. */
export function referredHost(text: string | null): string | null {
  const [, scheme = 'whois', rest = ''] = /^(?:([a-z]+):\/\/)?([^/:\s]+)/i.exec(text?.trim() ?? '') ?? []
  return scheme.toLowerCase() === 'whois' ? hostOf(rest) : null
}
