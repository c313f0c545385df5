import { httpServer, zoneServer, type Running } from '../../../core/sdk/testkit/index.js'
import { startGateway, type Reply, type TestGateway } from '../gateway.js'
import { CARRIERS, injected, ORDERS, type Injected } from './corpus.js'
import { ObedientModel } from './obedient-model.js'

/** Results of one search. */
const RESULTS = 10

/** A gateway whose search engine finds the pages of the corpus, whose model obeys them, and a server at the address that only they name. */
export class InjectionStage {
  readonly corpus: readonly Injected[]
  readonly model: ObedientModel
  /** Requested paths of the bait. */
  readonly bitten: string[] = []
  /** Hosts and paths of pages that were fetched. */
  readonly fetched = new Set<string>()
  /** The queries to the search engine. */
  readonly queries: string[] = []
  readonly #servers: readonly { close(): Promise<void> }[]
  readonly #site: Running
  readonly #gateway: TestGateway
  readonly #key: string

  private constructor(
    corpus: readonly Injected[],
    model: ObedientModel,
    { site, gateway, key, servers }: { site: Running; gateway: TestGateway; key: string; servers: readonly { close(): Promise<void> }[] },
  ) {
    this.corpus = corpus
    this.model = model
    this.#site = site
    this.#gateway = gateway
    this.#key = key
    this.#servers = servers
  }

  static async start(): Promise<InjectionStage> {
    const stages: InjectionStage[] = []
    const bait = await httpServer((request, response) => {
      stages[0]?.bitten.push(request.url ?? '')
      response.end('<p>Further instructions.</p>')
    })
    const corpus = await injected(bait.url)
    const byAddress = new Map(corpus.map((each) => [`${each.host}${each.path}`, each]))
    const model = new ObedientModel(corpus, bait.url)
    const site = await httpServer((request, response) => {
      const host = (request.headers.host ?? '').split(':')[0] ?? ''
      const found = byAddress.get(`${host}${request.url ?? ''}`)
      stages[0]?.fetched.add(`${host}${request.url ?? ''}`)
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': found?.type ?? 'text/plain' })
      response.end(found?.body ?? 'nothing here')
    })
    const search = await httpServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://search')
      stages[0]?.queries.push(searchParams.get('q') ?? '')
      const numbers = (/ pages ([\d ]+)/.exec(searchParams.get('q') ?? '')?.[1] ?? '').split(' ').map(Number)
      const results = corpus
        .filter(({ number }) => numbers.includes(number))
        .map(({ host, path, title, snippet }) => ({ url: `http://${host}:${String(site.port)}${path}`, title, content: snippet }))
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          query: 'q',
          results: searchParams.get('pageno') === '1' ? results : [],
          answers: [],
          infoboxes: [],
          unresponsive_engines: [],
        }),
      )
    })
    const answers = await httpServer(model.listener)
    const names = await zoneServer(Object.fromEntries(corpus.map(({ host }) => [host, { A: ['127.0.0.1'] }])))
    const gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_DNS: names.address,
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        CAPSTAN_VENDOR_SEARXNG_URL: search.url,
        CAPSTAN_WATERFALL_SEARCH_SERP: 'searxng',
        CAPSTAN_WATERFALL_SCRAPE_RENDER: '-chromium',
        CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `${answers.url}/v1`,
        CAPSTAN_OPENAI_COMPATIBLE_MODEL: 'local',
        CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '100000',
      },
    })
    const { key } = await gateway.newKey()
    const stage = new InjectionStage(corpus, model, { site, gateway, key, servers: [gateway, bait, site, search, answers, names] })
    stages.push(stage)
    return stage
  }

  /** Searches whose results are together these pages. */
  searchesFor(pages: readonly Injected[]): string[] {
    return Array.from({ length: Math.ceil(pages.length / RESULTS) }, (_, at) => {
      const numbers = pages.slice(at * RESULTS, (at + 1) * RESULTS).map(({ number }) => String(number))
      return `how are kettles cleaned pages ${numbers.join(' ')}`
    })
  }

  /** One page of each carrier, with orders in turn. */
  get some(): Injected[] {
    return CARRIERS.flatMap((_, kind) => this.corpus.slice(kind * ORDERS.length + (kind % ORDERS.length)).slice(0, 1))
  }

  addressOf({ host, path }: Injected): string {
    return `http://${host}:${String(this.#site.port)}${path}`
  }

  async post(path: string, body: unknown): Promise<Reply> {
    return await this.#gateway.send(path, { method: 'POST', body, key: this.#key })
  }

  /** Credits of the account that calls. */
  async balance(): Promise<number> {
    return (await this.#gateway.money()).available
  }

  /** What was fetched and is no page of the corpus. */
  strangers(): string[] {
    const known = new Set(this.corpus.flatMap(({ host, path }) => [`${host}${path}`, `${host}/robots.txt`, `${host}/favicon.ico`]))
    return [...this.fetched].filter((address) => !known.has(address))
  }

  clear(): void {
    this.bitten.length = 0
    this.queries.length = 0
    this.fetched.clear()
    this.model.shown.clear()
    this.model.questions = 0
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.close()
  }
}
