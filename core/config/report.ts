import { type Definition, definitionList } from '../../config/default.js'
import { declaredSettings } from './declared.js'
import { masked } from './mask.js'
import type { KnownNames, SettingReport } from './types.js'
import type { Reading } from './problems.js'
import type { Vendor } from '../sdk/index.js'
import { programVariable, settingVariable, urlVariable, waterfallVariable } from './variables.js'
import { entryOf, vendorSettings } from './vendor.js'

/** Every current setting, the core's first, then those of plugins. Secrets are shown as `set` or empty. */
export function report(reading: Reading, known: KnownNames): readonly SettingReport[] {
  return [
    ...coreReport(reading),
    ...orderReport(reading, known),
    ...priceReport(reading, known),
    ...programReport(reading, known),
    ...known.vendors.flatMap((vendor) => vendorReport(reading, vendor)),
    ...pluginReport(reading, known),
  ]
}

/** A value in one line: lists with commas, null as an empty text. */
function oneLine(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(oneLine).join(', ')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
  return masked(typeof value === 'string' ? value : JSON.stringify(value))
}

/** A setting's default for display. */
export function defaultText(definition: Definition): string {
  return definition.absent ?? (oneLine(definition.default) || 'none')
}

function coreReport({ core }: Reading): SettingReport[] {
  return definitionList.map((definition) => {
    const { name, variable, type, about } = definition
    const value = core.values.get(name)
    const shown = definition.secret === true && value !== null ? 'set' : oneLine(value)
    return { name, variable, type, about, default: defaultText(definition), value: shown, source: core.sources.get(name) ?? 'default' }
  })
}

function orderReport(reading: Reading, known: KnownNames): SettingReport[] {
  return known.ports.map((port) => {
    const variable = waterfallVariable(port)
    const byVariable = reading.variableOrders.get(variable)
    const byFile = reading.fileOrders.get(port)
    const standard = reading.defaultOrders.get(port) ?? []
    const about = `Vendors called for ${port}, in order.`
    const value = (byVariable ?? byFile)?.order ?? standard
    return {
      name: `waterfall.${port}`,
      variable,
      type: 'list',
      default: standard.join(', ') || 'by rank',
      about,
      value: value.join(', '),
      source: byVariable !== undefined ? 'variable' : byFile !== undefined ? 'file' : 'default',
    }
  })
}

/** Prices of every capability; the operator's override the plugin's. */
function priceReport({ prices }: Reading, known: KnownNames): SettingReport[] {
  return [...known.prices].map(([capability, table]) => {
    const written = prices.get(capability)?.rows
    const rows = Object.entries(table).map(([row, credits]): [string, number] => [row, written?.get(row)?.credits ?? credits])
    return {
      name: `prices.${capability}`,
      variable: null,
      type: 'prices',
      default: inWords(Object.entries(table)),
      about: `Credits of ${capability}.`,
      value: inWords(rows),
      source: written === undefined ? 'default' : 'file',
    }
  })
}

function inWords(rows: readonly (readonly [string, number])[]): string {
  return rows.map(([row, credits]) => `${row} ${credits}`).join(', ')
}

function programReport({ program }: Reading, known: KnownNames): SettingReport[] {
  return known.programs.map((name) => {
    const found = program(name)
    return {
      name: `programs.${name}`,
      variable: programVariable(name),
      type: 'string',
      default: 'found on PATH',
      about: `Path of ${name}.`,
      value: found?.path ?? '',
      source: found?.source ?? 'default',
    }
  })
}

function vendorReport({ open }: Reading, vendor: Vendor): SettingReport[] {
  const rows: SettingReport[] = []
  const text = (name: string): string | undefined => {
    const node = entryOf(open.vendors, vendor.id, name)
    return node?.kind === 'text' ? node.text : undefined
  }
  const source = (variable: string, name: string): SettingReport['source'] =>
    open.env.has(variable) ? 'variable' : text(name) === undefined ? 'default' : 'file'
  if (vendor.baseUrl !== undefined || vendor.needsUrl === true) {
    const variable = urlVariable(vendor.id)
    const value = masked(open.env.get(variable) ?? text('url') ?? vendor.baseUrl ?? '')
    rows.push({
      name: `vendors.${vendor.id}.url`,
      variable,
      type: 'string',
      default: vendor.baseUrl ?? 'none',
      about: `Address of ${vendor.title}.`,
      value,
      source: source(variable, 'url'),
    })
  }
  for (const [name, variable] of [...Object.entries(vendor.secrets ?? {}), ...Object.entries(vendor.optionalSecrets ?? {})]) {
    const from = source(variable, name)
    rows.push({
      name: `vendors.${vendor.id}.${name}`,
      variable,
      type: 'secret',
      default: 'none',
      about: `Secret of ${vendor.title}.`,
      value: from === 'default' ? '' : 'set',
      source: from,
    })
  }
  const declared = vendorSettings(vendor, open)
  if (declared !== null && vendor.settings !== undefined)
    rows.push(...declaredReport(`vendors.${vendor.id}`, vendor.id, vendor.settings.properties, declared))
  return rows
}

function pluginReport({ open }: Reading, known: KnownNames): SettingReport[] {
  return known.plugins.flatMap(({ name: owner, settings: schema }) => {
    if (schema === undefined) return []
    const declared = declaredSettings({
      owner,
      schema,
      env: open.env,
      compiler: open.compiler,
      written: (name) => entryOf(open.plugins, owner, name),
    })
    return declaredReport(`plugins.${owner}`, owner, schema.properties, declared)
  })
}

type Declared = Pick<ReturnType<typeof declaredSettings>, 'values' | 'sources'>

function declaredReport(
  prefix: string,
  owner: string,
  properties: Readonly<Record<string, object>>,
  { values, sources }: Declared,
): SettingReport[] {
  return Object.entries(properties).map(([name, schema]) => {
    const words = new Map<string, unknown>(Object.entries(schema))
    const secret = words.get('writeOnly') === true
    const value = oneLine(values[name])
    return {
      name: `${prefix}.${name}`,
      variable: settingVariable(owner, name),
      type: oneLine(words.get('type')) || 'value',
      default: oneLine(words.get('default')) || 'none',
      about: oneLine(words.get('description')),
      value: secret && value !== '' ? 'set' : value,
      source: sources.get(name) ?? 'default',
    }
  })
}
