import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { bundledFolder } from '../../core/loader/load.js'
import type { LoadedCapability } from '../../core/loader/types.js'
import { checkedInput } from '../../core/http/validation.js'
import { Problem } from '../../core/problems/problem.js'
import { type Capability, defaultsOf, flat, oneOf, or, SchemaCompiler, Type } from '../../core/sdk/index.js'
import type { Offered, Question } from '../../plugins/playground/contract.js'
import { load } from './loader.js'

/** A sentence with the call that it means, and the parameters that it lacks. */
export interface Meant {
  readonly say: string
  readonly capability: string | null
  readonly params: Readonly<Record<string, unknown>>
  readonly missing: readonly string[]
}

type Row = readonly [say: string, capability: string | null, params: Record<string, unknown>, missing?: readonly string[]]

/** The sentences of one of the files, for capabilities that there are. */
export function sentencesOf(
  name: 'first' | 'second' | 'third' | 'fourth' | 'fifth',
  capabilities: ReadonlyMap<string, LoadedCapability>,
): Meant[] {
  const rows: unknown = JSON.parse(readFileSync(join(packageRoot(), 'plugins/playground/sentences', `${name}.json`), 'utf8'))
  return (rows as Row[])
    .map(([say, capability, params, missing = []]) => ({ say, capability, params, missing }))
    .filter(({ capability }) => capability === null || capabilities.has(capability))
}

/** The bundled capabilities. */
export async function bundledCapabilities(): Promise<ReadonlyMap<string, LoadedCapability>> {
  const { capabilities } = await load({ firstParty: bundledFolder(), sourceFolder: join(packageRoot(), 'plugins') })
  const compiler = new SchemaCompiler()
  const [any] = capabilities.values()
  if (any === undefined) throw new Error('no capability is bundled')
  const others = STAND_INS.filter(({ id }) => !capabilities.has(id)).map((each): [string, LoadedCapability] => [
    each.id,
    { ...any, capability: each, input: compiler.compileInput(each.input) },
  ])
  return new Map([...capabilities, ...others])
}

/** What stands in for capabilities of the specification that are not bundled yet. */
const STAND_INS: readonly Capability[] = [
  {
    id: 'sounds.generate',
    path: '/v1/sounds/generate',
    title: 'Make a sound',
    description: 'Makes a sound effect, ambience, foley or short instrumental music from a description; never spoken words.',
    phrases: [
      { say: '* sound noise effect ambience foley music jingle melody instrumental loop audio hear' },
      { say: 'sound|noise|ambience of {prompt}' },
      { say: 'make|generate|create|need|want|play sound|noise|ambience of|like {prompt}' },
      { say: 'sound|noise effect {prompt}' },
      { say: 'sound|noise effect of {prompt}' },
      { say: 'generate|make|create|need sound|noise effect' },
      { say: 'compose {prompt}' },
      { say: 'need|want|make|generate|create|compose {prompt:music|jingle|melody|instrumental|tune|beat|drone|ambience|loop|drums}' },
      { say: 'foley of {prompt}' },
    ],
    input: Type.Object({
      prompt: Type.String({ minLength: 1, maxLength: 2_000, description: 'What is to be heard.' }),
      duration_seconds: or(Type.Number({ minimum: 0.5, maximum: 22, description: 'Length in seconds.' }), 5),
      prompt_influence: or(Type.Number({ minimum: 0, maximum: 1, description: '0 leaves freedom, 1 keeps to the prompt.' }), 0.3),
    }),
    output: Type.Object({}),
    price: flat(4),
    examples: [{ title: 'Rain', params: { prompt: 'rain on leaves' } }],
  },
  {
    id: 'research',
    path: '/v1/research',
    title: 'Research a question',
    description: 'Searches and reads many sources on a question and writes a report that cites them.',
    phrases: [
      { say: '* research report investigate investigation study review analysis sources literature papers thorough' },
      { say: 'research|investigate|study {query}' },
      { say: 'research|investigation on|about|into|of {query}' },
      { say: 'report on|about {query}' },
      { say: 'write|make|prepare|need|want report on|about {query}' },
      { say: 'report with sources on|about {query}' },
      { say: 'write|make|do research|report|investigation' },
      { say: 'deep|in-depth|thorough research|investigation|report', params: { depth: 'deep' } },
      { say: 'literature review of|on {query}', params: { source_types: ['academic'] } },
      { say: 'academic|scientific|peer-reviewed papers|sources|studies|literature', params: { source_types: ['academic'] } },
    ],
    input: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 2_000, description: 'The research question.' }),
      depth: or(oneOf('standard', 'deep', 'comprehensive'), 'standard'),
      source_types: or(Type.Array(oneOf('web', 'news', 'academic')), ['web']),
      max_sources: or(Type.Integer({ minimum: 1, maximum: 100, description: 'Most sources in the answer.' }), 15),
      freshness: or(oneOf('any', 'day', 'week', 'month'), 'any'),
    }),
    output: Type.Object({}),
    price: flat(10),
    examples: [{ title: 'A question', params: { query: 'How do cities prepare for heat?' } }],
  },
]

/** Capabilities as the playground gets them. */
export function offered(capabilities: ReadonlyMap<string, LoadedCapability>): Offered[] {
  return [...capabilities.values()].map(({ capability }) => {
    const { id, title, description, aliases = [], phrases = [], examples, formatOf = {}, input } = capability
    const given = { id, title, description, aliases, phrases, examples, formatOf, input }
    return JSON.parse(JSON.stringify(given)) as Offered
  })
}

/** A question without a conversation before it. */
export function question(message: string): Question {
  return { message, history: [], version: '1', capabilities: '[]' }
}

/** Parameters that a capability still wants, or refuses. */
export function lacking(loaded: LoadedCapability, params: Readonly<Record<string, unknown>>): string[] {
  try {
    checkedInput(loaded, structuredClone(params), ['params'])
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [...new Set(error.options.validation?.map(({ loc: [, name] }) => String(name)))].sort()
  }
}

/** Parameters without those that are the default anyway. */
export function withoutDefaults({ capability }: LoadedCapability, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const defaults = defaultsOf(capability.input)
  return Object.fromEntries(Object.entries(params).filter(([name, value]) => JSON.stringify(defaults[name]) !== JSON.stringify(value)))
}
