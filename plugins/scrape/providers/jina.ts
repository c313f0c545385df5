import { nullable, provider, Type } from '../../../core/sdk/index.js'
import { jina as vendor } from '../../_vendors/jina.js'
import { textAt } from '../../_vendors/text-at.js'
import { scrapeRender } from '../contract.js'
import { readHtml } from '../page/html.js'
import { pageOfMarkdown, webLinks } from '../page/vendor-markdown.js'
import { refusePrivate, remoteTimeout } from '../page/vendor-request.js'
import { statusFault } from '../page/status.js'

const optionalText = Type.Optional(nullable(Type.String()))
const reply = Type.Object({
  data: Type.Object({
    title: optionalText,
    description: optionalText,
    url: optionalText,
    content: optionalText,
    html: optionalText,
    warning: optionalText,
    links: Type.Optional(Type.Unknown()),
    usage: Type.Optional(Type.Unknown()),
  }),
})

export const jina = provider(scrapeRender, {
  vendor,
  rank: 41,
  timeoutMs: remoteTimeout,
  run: async (input, context) => {
    refusePrivate(input.url)
    const { data } = await context.api.json(
      {
        method: 'POST',
        path: '/',
        headers: {
          accept: 'application/json',
          'x-respond-with': input.output === 'html' ? 'html' : 'content',
          'x-engine': 'browser',
          'x-timeout': String(input.timeout),
          'x-with-links-summary': 'all',
          ...(input.wait_for === null ? {} : { 'x-wait-for-selector': input.wait_for }),
        },
        json: { url: input.url },
      },
      reply,
    )
    const tokens = Number(textAt(data.usage, 'tokens'))
    if (tokens > 0) context.cost(tokens, 'tokens')
    const refused = statusFault(targetStatus(data.warning ?? ''))
    if (refused !== null) throw refused
    const links = webLinks(addresses(data.links))
    if (input.output === 'html') {
      const page = await readHtml(
        context,
        { html: data.html ?? '', url: data.url ?? input.url, status: 200 },
        { url: input.url, output: 'html', selector: input.wait_for },
      )
      return { ...page, links: links.length > 0 ? links : page.links }
    }
    return pageOfMarkdown({
      markdown: data.content ?? '',
      title: data.title ?? null,
      description: data.description ?? null,
      links,
      screenshot_url: null,
      asked: input.url,
      url: data.url ?? input.url,
    })
  },
})

/** The target's own status, which the vendor reports in a warning; 200 without one. */
function targetStatus(warning: string): number {
  const found = /returned error (\d{3})/.exec(warning)
  return found === null ? 200 : Number(found[1])
}

/** Links are pairs of label and address, or an object by label. */
function addresses(links: unknown): string[] {
  if (typeof links !== 'object' || links === null) return []
  const entries: readonly unknown[] = Object.values(links)
  const values = entries.map((entry): unknown => (Array.isArray(entry) ? entry.at(1) : entry))
  return values.filter((value) => typeof value === 'string')
}
