import { Fault, provider } from '../../../core/sdk/index.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { browserless as vendor } from '../../_vendors/browserless.js'
import { MOST_BYTES, QUALITY } from '../../browser/contract.js'
import { answer } from '../answer.js'
import { capture } from '../contract.js'
import { statusRemark } from '../page-status.js'
import { REMOTE_MS } from '../times.js'

const PAGE_MS = 30_000

export const browserless = provider(capture, {
  vendor,
  rank: 20,
  timeoutMs: REMOTE_MS,
  serves: ({ format }) => format !== 'pdf',
  run: async (input, context) => {
    // The instance can reach its own network, so the guard first checks the address: a refused one ends here.
    await context.assertPublic(input.url)
    const { width, height, format, full_page: fullPage } = input
    const reply = await context.api.bytes({
      method: 'POST',
      path: '/screenshot',
      query: { timeout: PAGE_MS },
      json: {
        url: input.url,
        options: { type: format, fullPage, ...(format === 'png' ? {} : { quality: QUALITY }) },
        viewport: { width, height },
        gotoOptions: { waitUntil: 'networkidle2', timeout: PAGE_MS },
        scrollPage: fullPage,
        bestAttempt: true,
      },
      maxBytes: MOST_BYTES,
    })
    const status = Number(reply.headers['x-response-code'] ?? '')
    if (!Number.isInteger(status) || status === 0) throw new Fault('blocked', 'the page could not be opened')
    // The redirect target must be public too, or its picture must not be returned.
    const final = reply.headers['x-response-url'] ?? ''
    if (parseUrl(final) === null) throw new Fault('broken', 'Browserless did not report the final address of the page.')
    await context.assertPublic(final)
    const remark = statusRemark(status)
    if (remark !== null) context.note(remark)
    return await answer(await context.scratch.write(reply.bytes), input, context)
  },
})
