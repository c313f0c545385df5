import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { bundledFolder } from '../../core/loader/load.js'
import type { LoadedCapability } from '../../core/loader/types.js'
import { checkedInput } from '../../core/http/validation.js'
import { Problem } from '../../core/problems/problem.js'
import { defaultsOf } from '../../core/sdk/index.js'
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
  return capabilities
}

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
