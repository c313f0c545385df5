import {
  type Capability,
  type CapabilityContribution,
  type DeclaredList,
  defaultsOf,
  type HandlerContribution,
  normalised,
  type Port,
  type SchemaCompiler,
  type TObject,
  type TSchema,
  type Validator,
  violations,
} from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'
import { idFault, listPathFault, namesFault, spellings } from './names.js'
import { messageOf, PluginError } from './plugin-error.js'
import { closedInput } from './strict-schema.js'
import { listTextFault, textFault } from './text-rules.js'
import type { LoadedList } from './types.js'
import { assertOwnSettings, type Placed, type PluginExports } from './plugin-exports.js'
import { priceFault } from './price-rules.js'

/** Compiles the lists of a capability. Throws an Error with the fault and what to change. */
function compiledLists(compiler: SchemaCompiler, capability: Capability): LoadedList[] {
  return Object.entries(capability.lists ?? {}).map(([name, list]) => compiled(compiler, capability, { name, list }))
}

function compiled(compiler: SchemaCompiler, capability: Capability, { name, list }: { name: string; list: DeclaredList }): LoadedList {
  const where = `the list "${name}" of ${capability.id}`
  // A plugin in JavaScript may pass any value.
  const given: unknown = list
  if (!isRecord(given) || typeof given.read !== 'function' || !isRecord(given.response) || !isRecord(given.query))
    throw new Error(`${where} is not made by list({ title, description, response, read })`)
  const path = list.path ?? `${capability.path}/${name}`
  const fault = listPathFault(capability, name, path) ?? listTextFault(where, list) ?? queryFault(where, list)
  if (fault !== null) throw new Error(fault)
  return { name, path, list, query: compiler.compile(closedInput(list.query)), response: compiler.compile(list.response) }
}

/** A query string cannot represent a list or an object. */
function queryFault(where: string, { query }: DeclaredList): string | null {
  for (const [field, property] of Object.entries(query.properties)) {
    const type: unknown = isRecord(property) ? property.type : undefined
    if (type === 'array' || type === 'object') return `the query field "${field}" of ${where} is not a text, number or boolean`
  }
  return null
}

/** A port as declared, with its input closed and both schemas compiled. */
interface PortEntry {
  readonly port: Port
  readonly input: Validator<TObject>
  readonly output: Validator<TSchema>
  readonly plugin: string
}

export interface CapabilityEntry extends PortEntry {
  readonly capability: Capability
  readonly handler: HandlerContribution | null
  /** Inputs of the examples with defaults filled in. Throws PluginError for an example that is no valid input. */
  readonly examples: () => readonly Readonly<Record<string, unknown>>[]
  readonly lists: readonly LoadedList[]
}

/** The ports, capabilities and names of all registered plugins. A plugin is registered completely or not at all. */
export class CapabilityTable {
  readonly #compiler: SchemaCompiler
  #ports: ReadonlyMap<string, PortEntry> = new Map()
  #capabilities: ReadonlyMap<string, CapabilityEntry> = new Map()
  #names: ReadonlyMap<string, string> = new Map()
  /** The declared objects, so that a re-exported contract does not count as a second declaration. */
  readonly #declared = new Set<object>()

  constructor(compiler: SchemaCompiler) {
    this.#compiler = compiler
  }

  get ports(): ReadonlyMap<string, PortEntry> {
    return this.#ports
  }

  get capabilities(): ReadonlyMap<string, CapabilityEntry> {
    return this.#capabilities
  }

  /** Capability ids by every accepted name. */
  get names(): ReadonlyMap<string, string> {
    return this.#names
  }

  /** Registers a plugin's contract and handlers. Throws PluginError for any fault, and then changes nothing. */
  add(contents: PluginExports): void {
    const plugin = contents.manifest.name
    const ports = new Map(this.#ports)
    const capabilities = new Map(this.#capabilities)
    const names = new Map(this.#names)
    const ofVendors = new Set<object>(contents.capabilities.flatMap(({ value: { vendors } }) => vendors ?? []))
    for (const { file, value } of contents.ports) {
      if (this.#declared.has(value) || ofVendors.has(value)) continue
      this.#claim(ports, value.id, plugin, file)
      ports.set(value.id, this.#compiled(value, plugin))
    }
    for (const placed of contents.capabilities) {
      const { file, value } = placed
      if (this.#declared.has(value)) continue
      this.#claim(ports, value.id, plugin, file)
      const handler = handlerOf(contents, value)
      const entry = this.#capability(placed, contents, handler)
      for (const { list } of entry.lists) assertOwnSettings(contents.manifest, { file, value: list })
      claimNames(names, value, plugin, file)
      claimPaths(capabilities, entry, plugin, file)
      ports.set(value.id, this.#vendorPort(placed, plugin, handler) ?? entry)
      capabilities.set(value.id, entry)
    }
    strayHandlers(contents)
    this.#ports = ports
    this.#capabilities = capabilities
    this.#names = names
    for (const { value } of [...contents.ports, ...contents.capabilities]) this.#declared.add(value)
  }

  #claim(ports: ReadonlyMap<string, PortEntry>, id: string, plugin: string, file: string): void {
    const fault = idFault(id)
    if (fault !== null) throw new PluginError(plugin, file, fault)
    const other = ports.get(id)
    if (other !== undefined) throw new PluginError(plugin, file, `the id ${id} is already taken by plugin ${other.plugin}`)
  }

  /** Examples of bundled plugins are checked by tests: a check compiles every schema and loads what rules read. */
  #capability(
    { file, value }: Placed<CapabilityContribution>,
    { manifest: { name: plugin }, found: { party } }: PluginExports,
    handler: HandlerContribution | null,
  ): CapabilityEntry {
    const fault = namesFault(value) ?? textFault(value)
    if (fault !== null) throw new PluginError(plugin, file, fault)
    const compiled = this.#compiled(value, plugin)
    const capability: Capability = { ...value, input: compiled.input.schema }
    const at = { plugin, file }
    const examples = () => value.examples.map((example) => exampleInput(capability, compiled.input, example, at))
    const filled = value.examples.map(({ params }) => ({ ...defaultsOf(capability.input), ...params }))
    const price = priceFault(capability, party === 'first' ? filled : examples(), value.price.table)
    if (price !== null) throw new PluginError(plugin, file, price)
    return { ...compiled, port: capability, capability, handler, examples, lists: this.#lists(capability, plugin, file) }
  }

  /** The port that vendors of a capability serve when its input differs from the callers'. */
  #vendorPort({ file, value }: Placed<CapabilityContribution>, plugin: string, handler: HandlerContribution | null): PortEntry | null {
    const { id, vendors } = value
    if (vendors === undefined) return null
    if (vendors.id !== id) throw new PluginError(plugin, file, `the port ${vendors.id} is given as vendors of ${id} and must have its id`)
    if (handler === null) throw new PluginError(plugin, file, `${id} has vendors with an input of their own and no handler that calls them`)
    return this.#compiled(vendors, plugin)
  }

  #lists(capability: Capability, plugin: string, file: string): LoadedList[] {
    try {
      return compiledLists(this.#compiler, capability)
    } catch (error) {
      throw new PluginError(plugin, file, messageOf(error), error)
    }
  }

  #compiled(port: Port, plugin: string): PortEntry {
    const input = this.#compiler.compileInput(closedInput(port.input))
    return { port: { ...port, input: input.schema }, input, output: this.#compiler.compile(port.output), plugin }
  }
}

function exampleInput(
  capability: Capability,
  input: Validator<TObject>,
  example: Capability['examples'][number],
  at: { plugin: string; file: string },
): Readonly<Record<string, unknown>> {
  const params: unknown = structuredClone(example.params)
  const where = `the example "${example.title}" of ${capability.id}`
  if (!input.check(params)) {
    const [first] = input.errors()
    const extra: unknown = first?.params.additionalProperty ?? first?.params.unevaluatedProperty
    throw new PluginError(
      at.plugin,
      at.file,
      `${where} is not a valid input: ${first?.instancePath ?? ''} ${first?.message ?? ''}${typeof extra === 'string' ? ` (${extra})` : ''}`,
    )
  }
  const normal = normalised(capability, params)
  if (!isRecord(normal)) throw new PluginError(at.plugin, at.file, `normalise does not return an object for ${where}`)
  const [violation] = violations(capability, normal)
  if (violation !== undefined)
    throw new PluginError(at.plugin, at.file, `${where} is not a valid input: ${violation.loc.join('.')} ${violation.msg}`)
  return normal
}

function handlerOf({ manifest, handlers }: PluginExports, { id }: CapabilityContribution): HandlerContribution | null {
  const [first, second] = handlers.filter(({ value }) => value.of === id)
  if (second !== undefined) throw new PluginError(manifest.name, second.file, `a second handler of ${id}`)
  if (first !== undefined) assertOwnSettings(manifest, first)
  return first?.value ?? null
}

/** A handler must be in the plugin of its capability, so that no plugin takes over another's (T-70). */
function strayHandlers({ manifest, handlers, capabilities }: PluginExports): void {
  const stray = handlers.find(({ value }) => !capabilities.some((capability) => capability.value.id === value.of))
  if (stray !== undefined)
    throw new PluginError(manifest.name, stray.file, `handles ${stray.value.of}, which is not a capability of this plugin`)
}

/** Paths of lists and capabilities are unique among all plugins. */
function claimPaths(others: ReadonlyMap<string, CapabilityEntry>, entry: CapabilityEntry, plugin: string, file: string): void {
  const taken = new Map<string, string>()
  for (const { capability, lists } of others.values())
    for (const path of [capability.path, ...lists.map((list) => list.path)]) taken.set(path, capability.id)
  for (const path of [entry.capability.path, ...entry.lists.map((list) => list.path)]) {
    const other = taken.get(path)
    if (other !== undefined) throw new PluginError(plugin, file, `the path "${path}" of ${entry.capability.id} already means ${other}`)
    taken.set(path, entry.capability.id)
  }
}

function claimNames(names: Map<string, string>, capability: CapabilityContribution, plugin: string, file: string): void {
  for (const name of spellings(capability)) {
    const other = names.get(name)
    if (other !== undefined) throw new PluginError(plugin, file, `the name "${name}" of ${capability.id} already means ${other}`)
    names.set(name, capability.id)
  }
}
