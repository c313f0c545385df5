import { isDeepStrictEqual } from 'node:util'
import type { LoadedCapability, LoadedPort, PluginReport, Registry } from '../../../../core/loader/types.js'
import { isRecord } from '../../../../core/sdk/json.js'
import { type Capability, normalised, SchemaCompiler } from '../../../../core/sdk/index.js'
import type { ConformanceCase } from './types.js'

/** Cases about a plugin's declarations: whether it loaded completely, its ports and its capabilities. */
export function contractCases(registry: Registry, plugin: PluginReport): ConformanceCase[] {
  const ports = [...registry.ports.values()].filter((port) => port.plugin === plugin.name)
  const capabilities = [...registry.capabilities.values()].filter((capability) => capability.plugin === plugin.name)
  return [
    { plugin: plugin.name, name: 'loads whole', skip: null, run: () => loadsWhole(plugin) },
    ...ports.map((port): ConformanceCase => ({
      plugin: plugin.name,
      name: `${port.port.id}: schemas compile`,
      skip: null,
      run: () => compiles(port),
    })),
    ...capabilities.map((capability): ConformanceCase => ({
      plugin: plugin.name,
      name: `${capability.capability.id}: price, examples and answer fields`,
      skip: null,
      run: () => presents(capability),
    })),
  ]
}

async function loadsWhole({ reason, remarks }: PluginReport): Promise<void> {
  await Promise.resolve()
  const found = reason ?? remarks[0]
  if (found !== undefined) throw new Error(found)
}

async function compiles({ port }: LoadedPort): Promise<void> {
  await Promise.resolve()
  const compiler = new SchemaCompiler()
  compiler.assertValid(port.input)
  compiler.assertValid(port.output)
}

/** The loader refuses a capability without title, description, examples or price; here its answer fields are checked and each example is quoted. */
async function presents({ capability, input, quote, timeoutMs }: LoadedCapability): Promise<void> {
  await Promise.resolve()
  for (const { title, params } of capability.examples) {
    const filled: unknown = structuredClone(params)
    if (!input.check(filled)) throw new Error(`the example "${title}" is not a valid input: ${input.explain()}`)
    const normal: unknown = normalised(capability, filled)
    if (!input.check(structuredClone(normal)))
      throw new Error(`normalise turns the example "${title}" into an invalid input: ${input.explain()}`)
    if (!isDeepStrictEqual(normalised(capability, structuredClone(normal)), normal))
      throw new Error(`normalise is not idempotent: a second call changes the example "${title}"`)
    quote(normal)
    if (timeoutMs(normal) > (longestSeconds(capability) ?? Infinity) * 1000)
      throw new Error(`the example "${title}" may run longer than \`deadline\` says`)
  }
  if (typeof capability.timeoutMs === 'function' && longestSeconds(capability) === null)
    throw new Error('its timeoutMs is a function: `deadline` says how it follows from the input and ends in "at most N", in seconds')
  if (capability.work === undefined)
    throw new Error("it names no class of work: `work` is 'light', 'browser', 'code' or 'media', and says whose queue its calls wait in")
  const output: unknown = capability.output
  if (!isRecord(output) || !isRecord(output.properties)) throw new Error('the output is not an object with listed fields')
  const required: unknown = output.required
  const optional = Object.keys(output.properties).filter((name) => !Array.isArray(required) || !required.includes(name))
  if (optional.length > 0)
    throw new Error(`output fields are always present and null when unknown; these are optional: ${optional.join(', ')}`)
}

/** The figure that `deadline` ends in; null without one. */
function longestSeconds({ deadline = '' }: Capability): number | null {
  const found = /at most (\d{1,6})$/.exec(deadline)
  return found === null ? null : Number(found[1])
}
