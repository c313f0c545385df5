import { CATALOGUE, isSlug, type Slug } from '../../problems/catalogue.js'
import { Problem } from '../../problems/problem.js'
import { attachment } from '../../runtime/file-names.js'
import { Type } from '../../sdk/index.js'
import { hint } from '../../sdk/nearest.js'
import { escapeHtml, htmlPage } from '../discovery/console-page.js'
import type { HttpContext } from '../exchange.js'
import { none, route, type Answer, type Route } from '../route.js'
import type { HttpServices } from '../services.js'
import { PAGE_CSP } from './discovery.js'

const HTML = 'text/html; charset=utf-8'
const PAGE_HEADERS = { 'Content-Security-Policy': PAGE_CSP, 'Cache-Control': 'public, max-age=3600' }
const FILE_CSP = "default-src 'none'; sandbox; frame-ancestors 'none'"
const about = { method: 'GET', access: 'open', problems: [] } as const
const open = { ...about, params: none, query: none, body: none, response: Type.String() }

/** Public pages and files: error types, artifact links, the two probes. */
export function pageRoutes(services: HttpServices): Route[] {
  const { compiler } = services
  const pages = new Map<string, Buffer>()
  const page = (name: string, make: () => string): Promise<Answer> => {
    const content = pages.get(name) ?? Buffer.from(make())
    pages.set(name, content)
    return Promise.resolve({ content, shared: true, media: HTML, headers: PAGE_HEADERS })
  }
  return [
    route(compiler, {
      ...open,
      path: '/errors',
      id: 'listErrors',
      summary: 'All errors',
      description: 'Every error type with its status.',
      media: 'text/html',
      handle: () => page('', errorIndex),
    }),
    route(compiler, {
      ...open,
      path: '/errors/{slug}',
      id: 'getError',
      summary: 'An error explained',
      description: 'Cause and remedy of an error type.',
      params: Type.Object({ slug: Type.String({ maxLength: 60 }) }, { additionalProperties: false }),
      media: 'text/html',
      problems: ['not-found'],
      handle: ({ params }) => {
        const { slug } = params
        if (!isSlug(slug))
          throw new Problem('not-found', `No error has this name${hint(slug.replaceAll('_', '-'), Object.keys(CATALOGUE))}`, {
            action: 'GET /errors lists all.',
          })
        return page(slug, () => errorPage(slug))
      },
    }),
    route(compiler, {
      ...open,
      path: '/files/{id}/{name}',
      id: 'getFile',
      summary: 'A file made by a call',
      description: 'By a signed link that expires; takes one range of bytes. All invalid links get the same answer.',
      params: Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: false }),
      query: Type.Object({ expires: Type.String(), signature: Type.String() }, { additionalProperties: true }),
      violation: wrongLink,
      media: 'application/octet-stream',
      problems: ['not-found'],
      others: { 206: Type.String(), 302: Type.String() },
      handle: async ({ params, query, head, ctx }) => await serveFile(services, params.id, { ...query, head, ctx }),
    }),
    route(compiler, {
      ...open,
      path: '/healthz',
      id: 'healthz',
      summary: 'Alive',
      description: 'Answers while the process runs.',
      response: Type.Object({ status: Type.String() }),
      handle: () => Promise.resolve({ json: { status: 'ok' } }),
    }),
    route(compiler, {
      ...open,
      path: '/readyz',
      id: 'readyz',
      summary: 'Ready',
      description: 'Whether calls can be served: 503 while the ledger is unavailable or the gateway is stopping.',
      response: Type.Object({ status: Type.String() }),
      others: { 503: Type.Object({ status: Type.String() }) },
      handle: async () => {
        const { ready } = await services.readiness()
        return { json: { status: ready ? 'ready' : 'not ready' }, status: ready ? 200 : 503 }
      },
    }),
  ]
}

function wrongLink(): Problem {
  return new Problem('not-found', 'The link is wrong or has expired.', {
    action: 'Use the complete link, with expires and signature; once it has expired, create or upload the file again.',
  })
}

/** The Range header; not beside If-Range, which names a validator that files here do not have. */
function rangeHeader(ctx: HttpContext): string | undefined {
  return ctx.headers['if-range'] === undefined ? ctx.headers.range : undefined
}

async function serveFile(
  services: HttpServices,
  id: string,
  query: { expires: string; signature: string; head: boolean; ctx: HttpContext },
): Promise<Answer> {
  // Base64 has several encodings of the same bytes; only the canonical one is valid.
  const one =
    /^[A-Za-z0-9_-]{43}$/.test(query.signature) && Buffer.from(query.signature, 'base64url').toString('base64url') === query.signature
  // The store's own link is signed for GET.
  const elsewhere = one && !query.head ? await services.artifacts.link(id, query.expires, query.signature) : null
  if (elsewhere !== null) return { content: '', media: 'text/plain; charset=utf-8', status: 302, headers: { Location: elsewhere } }
  // Ranges are defined for GET alone (RFC 9110, 14.2).
  const wanted = query.head ? undefined : rangeHeader(query.ctx)
  const file = one ? await services.artifacts.open(id, query.expires, query.signature, { range: wanted }) : null
  if (file === null) throw wrongLink()
  const { range } = file
  return {
    content: file.body,
    media: file.record.content_type,
    ...(range === null ? {} : { status: 206 }),
    headers: {
      'Accept-Ranges': 'bytes',
      ...(range === null ? {} : { 'Content-Range': `bytes ${range.from}-${range.to - 1}/${file.whole}` }),
      'Content-Length': String(file.size),
      'Content-Disposition': attachment(file.record.name),
      'Content-Security-Policy': FILE_CSP,
    },
  }
}

/** The page of an error type: cause and remedy, from the catalogue. */
function errorPage(slug: Slug): string {
  const { status, title, category, retriable, cause, cure } = CATALOGUE[slug]
  const rows = [
    ['Status', String(status)],
    ['Category', category],
    ['Retry', retriable ? 'A retry may succeed.' : 'A retry with the same request will not succeed.'],
    ['Why it happens', cause],
    ['What to do', cure],
  ] as const
  const list = rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')
  return htmlPage(title, `<h1>${escapeHtml(title)}</h1><p><code>${slug}</code></p><dl>${list}</dl><p><a href="/errors">All errors</a></p>`)
}

/** The list of all errors. */
function errorIndex(): string {
  const rows = Object.entries(CATALOGUE).map(
    ([slug, { status, title }]) => `<dt><a href="/errors/${slug}">${slug}</a></dt><dd>${status}: ${escapeHtml(title)}</dd>`,
  )
  return htmlPage('Errors', `<h1>Errors</h1><dl>${rows.join('')}</dl>`)
}
