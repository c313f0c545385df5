import { Fault, vendor, type Reply } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** The meaning of a Scrapfly error code, or undefined when the status is sufficient. */
export function scrapflyFault(code: string): Fault | undefined {
  if (/SELECTOR/.test(code)) return new Fault('missing', 'wait_for: no element matched the selector in time')
  if (/DNS|DOMAIN_NOT_FOUND/.test(code)) return new Fault('missing', 'the host of the page is unknown', { final: true })
  if (/QUOTA|INSUFFICIENT/.test(code)) return new Fault('quota', 'The account at Scrapfly is used up.')
  if (code.startsWith('ERR::THROTTLE')) return new Fault('busy', 'Scrapfly accepts no more requests for now.')
  if (code.startsWith('ERR::ASP') || code.startsWith('ERR::SCRAPE'))
    return new Fault('blocked', 'the page refused or did not answer Scrapfly')
  return undefined
}

/** Scrapfly. Every failed scrape is a 422 with a code for the reason. */
export const scrapfly = vendor({
  id: 'scrapfly',
  title: 'Scrapfly',
  home: 'https://scrapfly.io/docs',
  baseUrl: 'https://api.scrapfly.io',
  secrets: { api_key: 'SCRAPFLY_API_KEY' },
  auth: (secret) => ({ query: { key: secret('api_key') } }),
  fault: (reply) => {
    if (reply.status < 400) return undefined
    if (reply.status === 404) return new Fault('broken', 'Scrapfly does not support the requested options.')
    const fault = scrapflyFault(codeOf(reply))
    const seconds = Number.parseInt(reply.headers['retry-after'] ?? '', 10)
    return fault?.kind === 'busy' && Number.isFinite(seconds) ? new Fault('busy', fault.message, { retryAfterSeconds: seconds }) : fault
  },
})

function codeOf({ headers, body }: Reply): string {
  return (
    headers['x-scrapfly-reject-code'] ??
    [textAt(body, 'code'), textAt(body, 'error_id'), textAt(body, 'result', 'error', 'code')].find((code) => code.startsWith('ERR::')) ??
    ''
  )
}
