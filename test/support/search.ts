import type { HandlerContext, ProviderContext, Resource } from '../../core/sdk/index.js'
import type { Results } from '../../plugins/search/contract.js'

export interface Asked {
  readonly port: string
  readonly input: Record<string, unknown>
  readonly only: string | undefined
}

/**
 * A context whose ports are answered by the given functions; everything requested, noted and logged is recorded. `searches`: its first vendor that answers
 * searches by itself. `engine`: its first engine. `alone`: no other vendor answers.
 */
export function searchContext(
  ports: Readonly<Record<string, (input: never) => unknown>>,
  { searches = false, engine = 'engine', alone = false } = {},
) {
  const one = { id: 'one', title: 'One', order: 0, serves: ({ own_search }: { own_search?: boolean | null }) => own_search !== false }
  const other = { id: 'other', title: 'Other', order: 1, serves: ({ own_search }: { own_search?: boolean | null }) => own_search !== true }
  const asked: Asked[] = []
  const notes: string[] = []
  const logs: string[] = []
  const works: { readonly module: string; readonly input: unknown }[] = []
  const controller = new AbortController()
  const opened = new Map<unknown, unknown>()
  const context = {
    call: async (port: { id: string }, input: Record<string, unknown>, options: { only?: string } = {}) => {
      asked.push({ port: port.id, input, only: options.only })
      const answer = ports[port.id]
      if (answer === undefined) throw new Error(`nobody answers ${port.id}`)
      return await (answer as (input: unknown) => unknown)(input)
    },
    use: async (resource: Resource<unknown>) => {
      if (!opened.has(resource)) opened.set(resource, await resource.open({} as never))
      return opened.get(resource)
    },
    has: ({ id }: { id: string }) => ports[id] !== undefined,
    // In this process.
    work: async (module: URL, input: unknown) => {
      works.push({ module: module.pathname.split('/').slice(-3).join('/'), input })
      const loaded = (await import(module.href)) as { default: (given: unknown) => unknown }
      return await loaded.default(input)
    },
    note: (remark: string) => void notes.push(remark),
    log: (message: string) => void logs.push(message),
    signal: controller.signal,
    timeLeft: () => 30_000,
    providers: ({ id }: { id: string }) =>
      id === 'search.serp' ? [{ ...one, id: engine, serves: () => true }] : [...(searches ? [one] : []), ...(alone ? [] : [other])],
  }
  return {
    ctx: context as unknown as ProviderContext & HandlerContext,
    asked,
    notes,
    logs,
    works,
    stop: () => controller.abort(new Error('stopped')),
  }
}

/** Results at made-up addresses, one for each snippet. */
export function resultsWith(...snippets: readonly (string | null)[]): Results {
  return {
    organic_results: snippets.map((snippet, at) => ({
      url: `https://s${at + 1}.example/page`,
      title: `Source ${at + 1}`,
      snippet,
      position: at + 1,
    })),
    knowledge_graph: null,
    featured_snippet: null,
  }
}

/** A page as `scrape.fetch` answers it. */
export function pageWith(content: string) {
  return { content, title: null, description: null, links: [], screenshot_url: null }
}
