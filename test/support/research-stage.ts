import type { ServerResponse } from 'node:http'
import type { ResearchOutput } from '../../plugins/research/contract.js'
import { zoneServer } from '../../core/sdk/testkit/dns-zones.js'
import type { DnsServer } from '../../core/sdk/testkit/dns-server.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type GatewayOptions, type Reply, type TestGateway } from './gateway.js'
import { ModelServer } from './model-server.js'

/** A page of the web of a test. */
export interface StagePage {
  /** `name.test` and its path. */
  readonly at: string
  readonly title: string
  readonly snippet: string | null
  readonly html: string
}

/** How a server behaves: it answers, answers with a status, or does not answer at all. */
export type Mood = 'answers' | 'hangs' | number

export interface ResearchAnswer {
  readonly data: ResearchOutput
  readonly metadata: { notes?: string[]; providers_tried: string[]; provider_used: string }
  readonly credits_used: number
}

const HOSTS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'] as const

/** A gateway with the bundled plugins, a search engine and a web of a test's pages, and a model with scripted replies. */
export class ResearchStage {
  /** Queries of searches. */
  readonly searched: string[] = []
  /** Host and path of pages that were fetched. */
  readonly fetched: string[] = []
  /** Requests that hang now. */
  hanging = 0
  pages: readonly StagePage[] = []
  engine: Mood = 'answers'
  web: Mood = 'answers'
  /** What the engine finds; by default every page that shares a word with the query. */
  finds: (query: string) => readonly StagePage[] = (query) => this.#found(query)
  readonly model: ModelServer
  #gateway: TestGateway | null = null
  #key = ''
  readonly #servers: Running[] = []
  #names: DnsServer | null = null

  private constructor(model: ModelServer) {
    this.model = model
  }

  /** `model: false` configures none. */
  static async start({
    model = false,
    env = {},
    overrides,
  }: { model?: boolean } & Pick<GatewayOptions, 'env' | 'overrides'> = {}): Promise<ResearchStage> {
    const stage = new ResearchStage(await ModelServer.start())
    const web = await httpServer((request, response) => stage.#page(`${request.headers.host ?? ''}${request.url ?? ''}`, response))
    const engine = await httpServer((request, response) =>
      stage.#search(new URL(request.url ?? '', 'http://engine').searchParams, response),
    )
    stage.#servers.push(web, engine)
    stage.#names = await zoneServer(Object.fromEntries(HOSTS.map((name) => [`${name}.test`, { A: ['127.0.0.1'] }])))
    stage.#gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        CAPSTAN_DNS: stage.#names.address,
        CAPSTAN_VENDOR_SEARXNG_URL: engine.url,
        CAPSTAN_WATERFALL_SEARCH_SERP: 'searxng',
        // No local provider replaces a page that cannot be fetched.
        CAPSTAN_WATERFALL_SCRAPE_RENDER: 'jina',
        CAPSTAN_VENDOR_JINA_URL: 'http://127.0.0.1:1',
        // A pack that is installed or not would change the order.
        CAPSTAN_WATERFALL_SENTENCES_EMBED: '-sentences',
        ...(model ? stage.model.env : {}),
        ...env,
      },
      ...(overrides === undefined ? {} : { overrides }),
    })
    stage.#key = (await stage.gateway.newKey()).key
    return stage
  }

  get gateway(): TestGateway {
    if (this.#gateway === null) throw new Error('the stage is not started')
    return this.#gateway
  }

  get key(): string {
    return this.#key
  }

  /** Address of a page of this web. */
  urlOf(at: string): string {
    const [host = '', ...path] = at.split('/')
    return `http://${host}:${String(this.#servers[0]?.port ?? 0)}/${path.join('/')}`
  }

  async research(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Reply> {
    return await this.gateway.send('/v1/research', { method: 'POST', body, headers, key: this.#key })
  }

  /** The answer of a research that must succeed. */
  async answered(body: Record<string, unknown>): Promise<ResearchAnswer> {
    const reply = await this.research(body)
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.json<ResearchAnswer>()
  }

  clear(): void {
    this.searched.length = 0
    this.fetched.length = 0
    this.pages = []
    this.engine = 'answers'
    this.web = 'answers'
    this.finds = (query) => this.#found(query)
    this.model.asked.length = 0
    this.model.says = () => ({ status: 500 })
    const { suspensions } = this.gateway.app.services
    for (const id of suspensions.ids()) suspensions.resume(id)
  }

  async close(): Promise<void> {
    await this.#gateway?.close()
    for (const server of this.#servers) await server.close()
    await this.#names?.close()
    await this.model.close()
  }

  #found(query: string): StagePage[] {
    const words = new Set(query.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [])
    return this.pages.filter(({ title, html }) =>
      (`${title} ${html}`.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).some((word) => words.has(word)),
    )
  }

  #search(parameters: URLSearchParams, response: ServerResponse): void {
    const query = parameters.get('q') ?? ''
    const isFirst = (parameters.get('pageno') ?? '1') === '1'
    if (isFirst) this.searched.push(query)
    if (!this.#answers(this.engine, response)) return
    const found = isFirst ? this.finds(query) : []
    const results = found.map(({ at, title, snippet }) => ({ url: this.urlOf(at), title, content: snippet ?? '' }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ query, results, answers: [], infoboxes: [], unresponsive_engines: [] }))
  }

  #page(address: string, response: ServerResponse): void {
    const at = address.replace(/:\d+\//, '/')
    this.fetched.push(at)
    if (!this.#answers(this.web, response)) return
    const page = this.pages.find((each) => each.at === at)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page === undefined ? '<p>nothing here' : page.html)
  }

  /** False when the mood answered, or nobody will. */
  #answers(mood: Mood, response: ServerResponse): boolean {
    if (mood === 'answers') return true
    if (mood === 'hangs') {
      this.hanging++
      response.on('close', () => this.hanging--)
    } else response.writeHead(mood, { 'content-type': 'application/json' }).end('{}')
    return false
  }
}

/** A page of paragraphs. */
export function stagePage(at: string, title: string, ...paragraphs: readonly string[]): StagePage {
  const body = paragraphs.map((text) => (text.startsWith('# ') ? `<h2>${text.slice(2)}</h2>` : `<p>${text}</p>`)).join('\n')
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><article><h1>${title}</h1>\n${body}</article></main></body></html>`
  return { at, title, snippet: paragraphs.find((text) => !text.startsWith('# '))?.slice(0, 150) ?? null, html }
}
