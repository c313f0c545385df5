import { definitionList } from '../../config/default.js'
import type { ConfigProblem } from '../problems/errors.js'
import { hint } from '../sdk/nearest.js'
import type { ReadSettings } from './core-settings.js'
import { declaredSettings } from './declared.js'
import type { OpenGroup } from './layout.js'
import type { LocatedEntry } from './located.js'
import type { WrittenPrices } from './prices.js'
import { programFault, type WrittenProgram } from './programs.js'
import type { KnownNames } from './types.js'
import {
  type Variables,
  OTHER_VARIABLES,
  programVariable,
  settingVariable,
  TEST_PREFIX,
  upper,
  urlVariable,
  waterfallVariable,
} from './variables.js'
import { entryOf, type OpenSettings, secretProblems, vendorSettings } from './vendor.js'
import { REST, type WrittenOrder } from './waterfall.js'

/** The configuration as read and checked before plugins are loaded. */
export interface Reading {
  readonly core: ReadSettings
  readonly groups: Readonly<Record<OpenGroup, ReadonlyMap<string, LocatedEntry>>>
  readonly open: OpenSettings
  readonly fileOrders: ReadonlyMap<string, WrittenOrder>
  /** By variable. */
  readonly variableOrders: ReadonlyMap<string, WrittenOrder>
  readonly defaultOrders: ReadonlyMap<string, readonly string[]>
  readonly prices: ReadonlyMap<string, WrittenPrices>
  readonly program: (name: string) => WrittenProgram | null
}

/** Problems of the configuration groups whose names come from plugins. */
export function openProblems(reading: Reading, known: KnownNames): readonly ConfigProblem[] {
  return [
    ...ownerProblems(reading, known),
    ...orderProblems(reading, known),
    ...productProblems(reading, known),
    ...priceProblems(reading, known),
    ...programProblems(reading, known),
    ...settingProblems(reading, known),
    ...unknownVariables(reading.open.env, known),
  ]
}

/** An unknown name is an error, or a warning when a plugin that may own it was set aside. */
function unknown(
  known: KnownNames,
  { where, what, name, names }: { where: string; what: string; name: string; names: readonly string[] },
): ConfigProblem {
  return { where, message: `unknown ${what} ${name}${hint(name, names)}`, level: known.incomplete === true ? 'warning' : 'error' }
}

function ownerProblems({ groups }: Reading, known: KnownNames): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const vendors = new Map(known.vendors.map((vendor) => [vendor.id, vendor]))
  const plugins = new Map(known.plugins.map((plugin) => [plugin.name, plugin]))
  const settingsOf = (schema: { properties: object } | undefined): string[] => Object.keys(schema?.properties ?? {})
  for (const group of ['vendors', 'plugins'] as const) {
    for (const [owner, { where, value }] of groups[group]) {
      const vendor = vendors.get(owner)
      const plugin = group === 'plugins' ? plugins.get(owner) : undefined
      const owners = group === 'vendors' ? [...vendors.keys()] : [...plugins.keys(), ...vendors.keys()]
      if (vendor === undefined && plugin === undefined) {
        problems.push(unknown(known, { where, what: group === 'vendors' ? 'vendor' : 'plugin', name: owner, names: owners }))
        continue
      }
      const secrets =
        group === 'vendors' ? ['url', ...Object.keys(vendor?.secrets ?? {}), ...Object.keys(vendor?.optionalSecrets ?? {})] : []
      const names = [...secrets, ...settingsOf(vendor?.settings), ...settingsOf(plugin?.settings)]
      if (value.kind === 'map')
        for (const [name, entry] of value.entries)
          if (!names.includes(name))
            problems.push({ where: entry.where, message: `unknown setting ${group}.${owner}.${name}${hint(name, names)}`, level: 'error' })
          else if (secrets.includes(name) && (entry.value.kind === 'list' || entry.value.kind === 'map'))
            problems.push({ where: entry.value.where, message: `${group}.${owner}.${name} must be a text`, level: 'error' })
      if (value.kind !== 'map' && value.kind !== 'nothing')
        problems.push({ where, message: `${group}.${owner} must be a group of settings`, level: 'error' })
    }
  }
  return problems
}

function orderProblems(reading: Reading, known: KnownNames): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const byVariable = new Map(known.ports.map((port) => [waterfallVariable(port), port]))
  for (const [port, written] of reading.fileOrders)
    if (known.ports.includes(port)) problems.push(...entryProblems(port, written, known))
    else problems.push(unknown(known, { where: written.where, what: 'port', name: port, names: known.ports }))
  for (const [variable, written] of reading.variableOrders) {
    const port = byVariable.get(variable)
    // A variable of no port is reported as unknown.
    if (port !== undefined) problems.push(...entryProblems(port, written, known))
  }
  return problems
}

/** Invalid entries of one port's order. */
function entryProblems(port: string, { where, order }: WrittenOrder, known: KnownNames): ConfigProblem[] {
  const vendors = known.vendors.map(({ id }) => id)
  const serving = known.serving.get(port) ?? []
  const problems: ConfigProblem[] = []
  const below = known.ports.filter((id) => id.startsWith(`${port}.`))
  if (serving.length === 0 && below.length > 0)
    return [{ where, message: `waterfall.${port}: ${port} has no providers of its own; its ports are ${below.join(', ')}`, level: 'error' }]
  for (const id of order.filter((item) => item !== REST).map((item) => item.replace(/^-/, ''))) {
    if (!vendors.includes(id))
      problems.push(unknown(known, { where, what: 'vendor', name: id, names: serving.length > 0 ? serving : vendors }))
    else if (!serving.includes(id))
      problems.push({
        where,
        message: `waterfall.${port} names ${id}, which does not serve ${port}; those that do: ${serving.join(', ')}`,
        level: known.incomplete === true ? 'warning' : 'error',
      })
  }
  const idle = order.filter((item) => item.startsWith('-'))
  if (idle.length > 0 && idle.length < order.length && !order.includes(REST))
    problems.push({
      where,
      message: `waterfall.${port} is a complete order, in which ${idle.join(', ')} has no effect; add ${REST} where the other vendors belong`,
      level: 'warning',
    })
  return problems
}

function productProblems({ core }: Reading, known: KnownNames): ConfigProblem[] {
  const ids = [...known.prices.keys()]
  const where = core.places.get('products') ?? 'products'
  return Object.entries(core.settings?.products ?? {}).flatMap(([product, names]) =>
    names
      .filter((name) => !ids.includes(name))
      .map((name) => unknown(known, { where, what: `capability in products.${product}:`, name, names: ids })),
  )
}

function priceProblems({ prices }: Reading, known: KnownNames): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  for (const [capability, { where, rows }] of prices) {
    const table = known.prices.get(capability)
    if (table === undefined) problems.push(unknown(known, { where, what: 'capability', name: capability, names: [...known.prices.keys()] }))
    else
      for (const [row, entry] of rows)
        if (!Object.hasOwn(table, row))
          problems.push({
            where: entry.where,
            message: `prices.${capability} has no row ${row}; rows: ${Object.keys(table).join(', ')}`,
            level: 'error',
          })
        else if (entry.credits < 0 && (table[row] ?? 0) >= 0)
          problems.push({ where: entry.where, message: `prices.${capability}.${row} must be credits of 0 or more`, level: 'error' })
  }
  return problems
}

function programProblems({ groups, program }: Reading, known: KnownNames): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  for (const [name, { where }] of groups.programs)
    if (!known.programs.includes(name)) problems.push(unknown(known, { where, what: 'program', name, names: known.programs }))
  for (const name of known.programs) {
    const found = program(name)
    const why = found === null ? null : programFault(found)
    if (found !== null && why !== null) problems.push({ where: found.where, message: `programs.${name}: ${why}`, level: 'error' })
  }
  return problems
}

function settingProblems({ open }: Reading, known: KnownNames): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  for (const vendor of known.vendors) problems.push(...secretProblems(vendor, open), ...(vendorSettings(vendor, open)?.problems ?? []))
  for (const { name: owner, settings: schema } of known.plugins) {
    if (schema === undefined) continue
    problems.push(
      ...declaredSettings({ owner, schema, env: open.env, compiler: open.compiler, written: (name) => entryOf(open.plugins, owner, name) })
        .problems,
    )
  }
  return problems
}

/** Unknown variables that begin with CAPSTAN_. */
function unknownVariables(env: Variables, known: KnownNames): ConfigProblem[] {
  const names = knownVariables(known)
  return [...env.keys()]
    .filter(
      (name) =>
        name.startsWith('CAPSTAN_') && name.slice('CAPSTAN_'.length).includes('_') && !names.has(name) && !name.startsWith(TEST_PREFIX),
    )
    .map((name) => ({ where: name, message: `unknown variable${bySetting(name) ?? hint(name, [...names])}`, level: 'warning' }))
}

/** A suggestion for a variable that spells out a setting's name: CAPSTAN_SERVER_PORT is CAPSTAN_PORT. */
function bySetting(name: string): string | null {
  const variable = definitionList.find((definition) => `CAPSTAN_${upper(definition.name)}` === name)?.variable ?? null
  return variable === null ? null : `; did you mean ${variable}?`
}

function knownVariables(known: KnownNames): ReadonlySet<string> {
  const names = new Set(OTHER_VARIABLES)
  for (const { variable } of definitionList) if (variable !== null) names.add(variable)
  for (const port of known.ports) names.add(waterfallVariable(port))
  for (const program of known.programs) names.add(programVariable(program))
  const settings = (owner: string, schema: { properties: object } | undefined): void => {
    for (const setting of Object.keys(schema?.properties ?? {})) names.add(settingVariable(owner, setting))
  }
  for (const vendor of known.vendors) {
    names.add(urlVariable(vendor.id))
    for (const variable of [...Object.values(vendor.secrets ?? {}), ...Object.values(vendor.optionalSecrets ?? {})]) names.add(variable)
    settings(vendor.id, vendor.settings)
  }
  for (const plugin of known.plugins) settings(plugin.name, plugin.settings)
  return names
}

/** Unknown variables that cannot belong to a plugin, reported before plugins are loaded. */
export function earlyVariableWarnings(env: Variables): ConfigProblem[] {
  const names = new Set(OTHER_VARIABLES)
  for (const { variable } of definitionList) if (variable !== null) names.add(variable)
  return [...env.keys()]
    .filter((name) => name.startsWith('CAPSTAN_') && !name.slice('CAPSTAN_'.length).includes('_') && !names.has(name))
    .map((name) => ({ where: name, message: `unknown variable${hint(name, [...names])}`, level: 'warning' }))
}
