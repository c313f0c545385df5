import { Fault, provider, type Services } from '../../../core/sdk/index.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { direct as vendor } from '../../_vendors/direct.js'
import { pageFacts, type FactsQuestion } from '../facts-contract.js'
import { readFacts } from '../page/facts.js'
import type { Got } from '../page/html.js'
import { kindOf } from '../page/kind.js'
import { statusFault } from '../page/status.js'
import { LIMITS } from '../work/limits.js'

const HEADERS = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5', 'accept-language': 'en-US,en;q=0.8,*;q=0.5' }

export const direct = provider(pageFacts, {
  vendor,
  timeoutMs: ({ timeout }) => timeout * 1000 + 12_000,
  run: async (input, context) => {
    const got = await sourceOf(input, context)
    return await readFacts(context, got, got.asked)
  },
})

async function sourceOf(input: FactsQuestion, context: Services): Promise<Got & { readonly asked: string }> {
  const { url, html, file, base } = input
  if ([url, html, file].filter((each) => each !== null).length !== 1)
    throw new Fault('invalid', 'One of url, html and file names the page.', { loc: ['url'] })
  if (url !== null) return { ...(await fetched(url, input.timeout, context)), asked: url }
  const address = base === null ? null : parseUrl(base)
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Fault('invalid', 'html and file need base, the http or https address of the page.', { loc: ['base'] })
  const at = { url: address.href, asked: address.href, status: 200 }
  if (html !== null) return { html, ...at }
  return { html: { bytes: await bytesOf(file, context), charset: input.charset.toLowerCase() }, ...at }
}

async function fetched(url: string, timeout: number, context: Services): Promise<Got> {
  const got = await context.web.get(url, { headers: HEADERS, maxBytes: LIMITS.bytes, timeoutMs: timeout * 1000 })
  const refused = statusFault(got.status, got.headers['retry-after'])
  if (refused !== null) throw refused
  if (kindOf(got.contentType, got.bytes, new URL(got.url).pathname) !== 'html') throw new Fault('missing', 'the address holds no HTML page')
  return { html: got, url: got.url, status: got.status }
}

async function bytesOf(file: FactsQuestion['file'], context: Services): Promise<Uint8Array> {
  if (file === null) return new Uint8Array()
  if (file.size > LIMITS.bytes) throw new Fault('blocked', `the page is larger than ${LIMITS.bytes} bytes`)
  return await context.scratch.bytes(file, LIMITS.bytes)
}
