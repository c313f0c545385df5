import { Fault, provider } from '../../../core/sdk/index.js'
import { browserless as vendor } from '../../_vendors/browserless.js'
import { scrapeRender } from '../contract.js'
import { readHtml } from '../page/html.js'
import { remoteTimeout } from '../page/vendor-request.js'
import { parseUrl } from '../../../core/sdk/url.js'

const CHECK_MS = 5_000

export const browserless = provider(scrapeRender, {
  vendor,
  rank: 20,
  timeoutMs: (input) => remoteTimeout(input) + CHECK_MS,
  run: async (input, context) => {
    // The instance can reach its own network, so the guard first checks the address: a refused one ends here.
    await context.web.get(input.url, { method: 'HEAD', maxRedirects: 0, timeoutMs: CHECK_MS })
    const timeout = input.timeout * 1000
    const reply = await context.api.bytes({
      method: 'POST',
      path: '/content',
      query: { timeout },
      json: {
        url: input.url,
        gotoOptions: { waitUntil: 'networkidle2', timeout },
        ...(input.wait_for === null ? {} : { waitForSelector: { selector: input.wait_for, timeout } }),
        bestAttempt: true,
      },
    })
    const status = Number(reply.headers['x-response-code'] ?? '')
    if (!Number.isInteger(status) || status === 0) throw new Fault('blocked', 'the page could not be opened')
    // The redirect target must be public too, or its page must not be returned.
    const url = reply.headers['x-response-url'] ?? ''
    if (parseUrl(url) === null) throw new Fault('broken', 'Browserless did not report the final address of the page.')
    await context.assertPublic(url)
    return readHtml(
      context,
      { html: { bytes: reply.bytes, charset: 'utf-8' }, url, status },
      { url: input.url, output: input.output, selector: input.wait_for },
    )
  },
})
