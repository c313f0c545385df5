import {
  answerOf,
  buildRequest,
  by,
  type Call,
  callLimit,
  type Capability,
  capability,
  contributionOf,
  Fault,
  type FaultKind,
  flat,
  type Given,
  handle,
  type HandlerContext,
  httpProvider,
  kindOf,
  list,
  mapReply,
  nullable,
  oneOf,
  or,
  plugin,
  plus,
  poll,
  port,
  provider,
  type ProviderContext,
  quote,
  required,
  resource,
  ResourceTable,
  runHandler,
  runProvider,
  SchemaCompiler,
  serves,
  type Static,
  tryLimit,
  Type,
  vendor,
  violations,
} from '../../core/sdk/index.js'
import { chat } from '../../plugins/llm/contract.js'
import { merged } from '../../plugins/_shared/merged.js'
import { modelJson } from '../../plugins/_shared/model-json.js'

export const input = Type.Object({
  query: Type.String(),
  mode: or(oneOf('serp', 'ai', 'deep'), 'ai'),
  num_results: or(Type.Integer(), 10),
  extra: Type.Optional(Type.String()),
  n: or(nullable(Type.String()), null),
})
export const given: Given<typeof input> = { query: 'x' }
export const full: Given<typeof input> = { query: 'x', mode: 'deep', num_results: 1, extra: 'y', n: 'z' }
export const handlers: Static<typeof input>['mode'] = 'ai'
export const n: Static<typeof input>['n'] = null
const output = Type.Object({ answer: Type.String() })
const common = { path: '/v1/x', title: 'X', description: 'd', output, examples: [] }
export const search = capability({
  ...common,
  id: 'search',
  input,
  price: by('mode', { serp: 1, ai: 2, deep: 3 }),
  timeoutMs: ({ mode }) => (mode === 'deep' ? 60_000 : 10_000),
  uses: [chat],
  requires: ({ mode }) => (mode === 'ai' ? [chat] : []),
  check: ({ query }) => (query === '' ? [{ loc: ['query'], msg: 'is empty' }] : []),
})
export const free = capability({ ...common, id: 'f', input, price: flat(2) })
const researchInput = Type.Object({
  depth: or(oneOf('standard', 'deep'), 'standard'),
  synthesis: or(Type.Boolean(), true),
  sources: or(Type.Array(Type.String()), []),
})
export const research = capability({
  ...common,
  id: 'r',
  input: researchInput,
  price: plus(by('depth', { standard: 10, deep: 20 }), [
    { when: 'synthesis', is: false, add: -5 },
    { when: 'sources', has: 'papers', add: 2 },
  ]),
})
export const serp = port({ id: 'search.serp', input: Type.Object({ query: Type.String(), num: or(Type.Integer(), 10) }), output })
export const sends = port({ id: 'send', input: Type.Object({}), output, once: true })

export const acme = vendor({
  id: 'acme',
  title: 'Acme',
  baseUrl: 'https://api.acme.example',
  hosts: { upload: 'https://upload.acme.example' },
  secrets: { api_key: 'ACME_API_KEY' },
  optionalSecrets: { region: 'ACME_REGION' },
  programs: { tool: 'tools' },
  settings: Type.Object({ model: or(Type.String(), 'small') }),
  auth: (secret) => ({ headers: { 'x-key': secret('api_key') }, query: { k: secret('api_key') }, json: { key: secret('api_key') } }),
  fault: ({ status }) => (status === 200 ? undefined : new Fault('quota', 'used up', { retryAfterSeconds: 1, loc: ['query', 0] })),
})
export const id: 'acme' = acme.id
export const a = httpProvider(serp, {
  vendor: acme,
  rank: 1,
  timeoutMs: ({ num }) => num * 100,
  serves: ({ query }) => query.length < 100,
  request: (i, { settings }) => ({ path: '/s', query: { q: i.query, n: i.num, m: settings.model } }),
  reply: Type.Object({ hits: Type.Array(Type.String()) }),
  map: (r, i) => (r.hits.length === 0 ? null : { answer: r.hits.join(i.query) }),
})
const settings = Type.Object({ turns: or(Type.Integer(), 0), name: Type.Optional(Type.String()) })
const line = resource({
  id: 'line',
  settings,
  open: (host) => Promise.resolve({ turns: host.settings.turns + 1 }),
  close: ({ turns }) => Promise.resolve(void turns),
})
export const b = provider(serp, {
  vendor: acme,
  settings,
  run: async (i, ctx) => {
    const model: string = ctx.settings.turns === 0 ? ctx.settings.model : (ctx.settings.name ?? '')
    ctx.note(model)
    const { turns } = await ctx.use(line)
    const { stdout } = await ctx.exec('tool', [String(turns)])
    return stdout.length === 0 ? null : await ctx.api.json({ path: i.query }, Type.Object({ answer: Type.String() }))
  },
})
export const h = handle(search, async (i, ctx) => {
  const one = await ctx.call(serp, { query: i.query })
  const all = await ctx.gather(serp, { query: i.query, num: i.num_results })
  const { count } = await modelJson(ctx, { prompt: one.answer }, new SchemaCompiler().compile(Type.Object({ count: Type.Integer() })))
  const { object } = await ctx.call(chat, { prompt: 'x' }, { only: 'acme' })
  return { answer: [one.answer, ...all.map(({ data, provider: by }) => data.answer + by), count.toFixed(), String(object)].join() }
})
const person = Type.Object({
  name: nullable(Type.String()),
  place: nullable(Type.Object({ city: Type.String(), size: Type.Optional(Type.Object({ people: Type.Integer() })) })),
  jobs: Type.Array(
    Type.Object({
      company: Type.String(),
      title: nullable(Type.String()),
      tasks: nullable(Type.Array(Type.Object({ id: Type.Integer() }))),
    }),
  ),
  skills: nullable(Type.Array(Type.String())),
})
const people = port({ id: 'people', input: Type.Object({ query: Type.String() }), output: person })
export const h3 = handle(search, async ({ query }, ctx) => {
  const answers = await ctx.gather(
    people,
    { query },
    {
      until: (all) => all.some(({ data, order }) => data.name !== null && order === 0),
      atMost: 3,
      atOnce: 2,
      withinMs: ctx.timeLeft() / 2,
      only: ctx.providers(people).flatMap(({ id, serves }) => (serves({ query }) ? [id] : [])),
    },
  )
  const all = merged(answers, {
    lists: { jobs: ['company', 'title'], 'jobs.tasks': 'id', skills: (skill) => skill.toLowerCase() },
    whole: ['place', 'place.size.people'],
  })
  if (all === null) return { answer: '' }
  const from: readonly string[] | undefined = all.sources['place.city'] ?? all.sources.jobs
  const aside: { answer: string } | null = await ctx.aside((side) => side.call(search, { query }), { withinMs: 500, about: 'search' })
  return { answer: (all.data.place?.city ?? '') + String(from) + String(all.disagreements[0]?.field) + String(aside?.answer) }
})
export const sure: Static<typeof person> = merged([{ provider: 'a', data: { name: null, place: null, jobs: [], skills: null } }]).data
export const listed = capability({
  ...common,
  id: 'listed',
  input,
  price: flat(1),
  lists: {
    words: list({
      title: 'W',
      description: 'W.',
      response: Type.Array(Type.String()),
      query: Type.Object({ most: or(Type.Integer({ description: 'x' }), 3) }),
      settings,
      read: ({ query, settings: own, providers, has }) =>
        [...providers(serp), ...providers()]
          .slice(0, query.most + own.turns)
          .map(({ id, serves }) => `${id} ${serves({ query: '' })} ${has(serp)}`),
    }),
  },
})
export const h2 = handle(search, (_, ctx) => Promise.resolve({ answer: 'x'.repeat(ctx.settings.turns) }), { settings })
export const manifest = plugin({
  name: 'x',
  version: '1.0.0',
  sdk: 2,
  title: 'X',
  settings,
  dispose: () => Promise.resolve(),
})

export const kind: 'port' | 'capability' | 'handler' | 'provider' | 'plugin' = kindOf(contributionOf(serp) ?? manifest)
const caught: unknown = manifest
export const faultKind: FaultKind = Fault.is(caught) ? caught.kind : 'missing'
export function narrowed(value: unknown): string {
  return new SchemaCompiler().compile(output).check(value) ? value.answer : ''
}
export async function hosted(handler: HandlerContext, context: ProviderContext, loaded: Capability): Promise<readonly unknown[]> {
  const call: Call = buildRequest(a, given, { settings: {} })
  const results = [await runHandler(h, given, handler), await runProvider(b, given, context), mapReply(a, {}, given), answerOf<string>('x')]
  const credits: number =
    quote(loaded, given) + callLimit(loaded, given) + violations(loaded, given).length + required(loaded, given).length
  const limit: number | undefined = serves(a, given) ? tryLimit(a, given) : undefined
  const opened: Promise<{ turns: number }> | undefined = new ResourceTable().get(line)
  return [call.path, credits, limit, await opened, ...results]
}

export const waited = provider(serp, {
  vendor: acme,
  needs: ['region', 'model'],
  run: async ({ query }, context) => {
    const Job = Type.Object({ id: Type.String(), state: Type.String(), answer: Type.String() })
    const { id } = await context.api.json({ method: 'POST', path: '/jobs', json: { query } }, Job)
    const result = await poll(context, {
      ask: (own) => own.api.json({ path: `/jobs/${id}`, query: { model: own.settings.model } }, Job),
      read: ({ state, answer }) => (state === 'done' ? { state, result: { answer } } : { state: 'running', detail: state }),
      cancel: (own) => own.api.text({ method: 'DELETE', path: `/jobs/${id}` }),
    })
    context.cost(0.1, 'USD')
    return result
  },
})
