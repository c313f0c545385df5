import {
  Fault,
  Type,
  by,
  capability,
  flat,
  httpProvider,
  nullable,
  oneOf,
  or,
  port,
  provider,
  vendor,
  type ProviderContext,
} from '../../core/sdk/index.js'
import type { LoadedCapability, LoadedPort, LoadedProvider, Registry } from '../../core/loader/types.js'
import {
  SchemaCompiler,
  callLimit,
  handle,
  quote,
  type Capability,
  type HandlerContribution,
  type Port,
  type ProviderContribution,
  type TObject,
  type WorkClass,
} from '../../core/sdk/index.js'

/** What the scripted provider of the test capability does next. */
export type Behaviour = (input: { text: string; mode: string }, context: ProviderContext) => Promise<{ text: string } | null>

const input = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 100, description: 'Text.' }),
    mode: or(oneOf('plain', 'loud'), 'plain'),
    times: or(Type.Integer({ minimum: 1, maximum: 5, description: 'Times.' }), 1),
    note: or(nullable(Type.String({ description: 'Note.' })), null),
  },
  { additionalProperties: false },
)
const output = Type.Object({ text: Type.String() })

/** A small capability with a price by mode, served by providers a test scripts. */
export const echo = capability({
  id: 'test.echo',
  path: '/v1/test/echo',
  title: 'Echo',
  description: 'Says the text again.',
  input,
  output,
  price: by('mode', { plain: 1, loud: 2 }),
  examples: [{ title: 'Say hello', params: { text: 'hello' } }],
  aliases: ['echo'],
  deadline: '0.08 for the text "brief", else 5: at most 5',
  timeoutMs: ({ text }) => (text === 'brief' ? 80 : 5_000),
  check: ({ text, times }) => (text === 'never' && times > 1 ? [{ loc: ['times'], msg: 'must be 1 for this text' }] : []),
})

/** A capability that acts on the world. */
export const send = capability({
  id: 'test.send',
  path: '/v1/test/send',
  title: 'Send',
  description: 'Sends the text once.',
  once: true,
  input: Type.Object({ text: Type.String({ description: 'Text.' }) }, { additionalProperties: false }),
  output,
  price: flat(0.5),
  examples: [{ title: 'Send hello', params: { text: 'hello' } }],
  timeoutMs: ({ text }) => (text === 'brief' ? 80 : 5_000),
})

/** A port that only a handler reaches. */
export const part = port({ id: 'test.part', input: Type.Object({ text: Type.String() }, { additionalProperties: false }), output })

export interface Scripted {
  readonly vendor: string
  readonly run: Behaviour
  readonly kind?: LoadedProvider['kind']
  readonly serves?: (input: { text: string }) => boolean
  readonly inconclusive?: (output: { text: string }) => boolean
  readonly timeoutMs?: number
  readonly state?: 'live' | 'dormant'
  readonly reason?: string
}

/** Providers by port id, and handlers; what a test's gateway has loaded. */
export interface Script {
  readonly 'test.echo'?: readonly Scripted[]
  readonly 'test.send'?: readonly Scripted[]
  readonly 'test.part'?: readonly Scripted[]
  readonly handler?: HandlerContribution
  /** The class of its work and its limit of time, where it is to have others. */
  readonly echo?: { readonly work: WorkClass; readonly timeoutMs: number }
  /** Further contributions made with the sdk, for example real http providers with their access. */
  readonly more?: readonly LoadedProvider[]
}

/** A registry of the test capabilities with scripted providers. */
export function scriptedRegistry(script: Script): Registry {
  const compiler = new SchemaCompiler()
  const definitions = [echo, send, part] as unknown as Port[]
  const ports = new Map(definitions.map((definition) => [definition.id, loadedPort(compiler, definition, providersOf(script, definition))]))
  const capabilities = new Map(
    ([{ ...echo, ...script.echo }, send] as unknown as Capability[]).map((definition) => [
      definition.id,
      loadedCapability(compiler, definition, definition.id === 'test.echo' ? (script.handler ?? null) : null),
    ]),
  )
  const names = new Map(
    [...capabilities.keys()].flatMap((id) =>
      [id, id.replace('.', '_'), id.replace('.', '/'), id.replace('.', '-'), `/v1/${id.replace('.', '/')}`].map(
        (name) => [name, id] as const,
      ),
    ),
  )
  names.set('echo', 'test.echo')
  const registry: Registry = {
    version: 'test',
    ports,
    capabilities,
    lists: new Map(),
    byPath: new Map([...capabilities.values()].map((loaded) => [loaded.capability.path, loaded])),
    names,
    plugins: [],
    contributions: [],
    guests: [],
    vendors: [],
    withOrders: () => registry,
    liveness: (id) => ({
      live: ports.get(id)?.providers.some(({ state }) => state === 'live') ?? false,
      reason: null,
      limits: null,
      modes: null,
    }),
    dispose: () => Promise.resolve(),
  }
  return registry
}

function providersOf(script: Script, definition: Port): LoadedProvider[] {
  const own = Object.entries(script).find(([id]) => id === definition.id)?.[1] as readonly Scripted[] | undefined
  return [
    ...(own ?? []).map((scripted) => scriptedProvider(definition, scripted)),
    ...(script.more ?? []).filter(({ contribution }) => contribution.of.id === definition.id),
  ]
}

function scriptedProvider(definition: Port, scripted: Scripted): LoadedProvider {
  const contribution = provider(definition as unknown as typeof echo, {
    vendor: vendor({ id: scripted.vendor, title: scripted.vendor }),
    run: scripted.run,
    ...(scripted.timeoutMs === undefined ? {} : { timeoutMs: scripted.timeoutMs }),
    ...(scripted.serves === undefined ? {} : { serves: scripted.serves }),
    ...(scripted.inconclusive === undefined ? {} : { inconclusive: scripted.inconclusive }),
  })
  return loadedProvider(contribution, {
    kind: scripted.kind ?? 'keyless',
    state: scripted.state ?? 'live',
    reason: scripted.reason ?? null,
  })
}

/** A provider as loaded, with access to nothing but the address given. */
export function loadedProvider(
  contribution: ProviderContribution,
  about: { kind?: LoadedProvider['kind']; state?: 'live' | 'dormant'; reason?: string | null; baseUrl?: string } = {},
): LoadedProvider {
  return {
    vendor: contribution.vendor,
    contribution,
    kind: about.kind ?? 'keyless',
    state: about.state ?? 'live',
    reason: about.reason ?? null,
    settings: [],
    optedOut: false,
    reply: contribution.http === undefined ? null : new SchemaCompiler().compile(contribution.http.reply),
    plugin: 'test',
    file: `providers/${contribution.vendor.id}.ts`,
    access: {
      vendor: contribution.vendor,
      baseUrl: about.baseUrl ?? '',
      operatorUrl: about.baseUrl !== undefined,
      secret: (name) => `secret-${name}`,
      settings: {},
    },
  }
}

function loadedPort(compiler: SchemaCompiler, definition: Port, providers: readonly LoadedProvider[]): LoadedPort {
  return {
    port: definition,
    input: compiler.compileInput<TObject>(definition.input),
    output: compiler.compile(definition.output),
    providers,
    all: providers,
    plugin: 'test',
  }
}

function loadedCapability(compiler: SchemaCompiler, definition: Capability, handler: HandlerContribution | null): LoadedCapability {
  return {
    capability: definition,
    input: compiler.compileInput<TObject>(definition.input),
    output: compiler.compile(definition.output),
    handler,
    lists: [],
    settings: {},
    quote: (value) => Math.round(quote(definition, value) * 1000),
    prices: definition.price.table,
    timeoutMs: (value) => callLimit(definition, value),
    plugin: 'test',
  }
}

export { Fault, handle, httpProvider }
