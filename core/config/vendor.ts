import type { SchemaCompiler, Vendor } from '../sdk/index.js'
import { isWebAddress } from './forms.js'
import { declaredSettings, type DeclaredSettings } from './declared.js'
import type { Located, LocatedEntry } from './located.js'
import { pasteFault } from './convert.js'
import type { VendorConfig } from './types.js'
import type { ConfigProblem } from '../problems/errors.js'
import { urlVariable, type Variables } from './variables.js'

const ADDRESS = /^https?:\/\/[^\s/?#]\S*$/i

/** The file's groups `vendors` and `plugins`, and the variables. */
export interface OpenSettings {
  readonly vendors: ReadonlyMap<string, LocatedEntry>
  readonly plugins: ReadonlyMap<string, LocatedEntry>
  readonly env: Variables
  readonly compiler: SchemaCompiler
}

/** One entry of a vendor or plugin in the file. */
export function entryOf(group: ReadonlyMap<string, LocatedEntry>, owner: string, name: string): Located | undefined {
  const value = group.get(owner)?.value
  return value?.kind === 'map' ? value.entries.get(name)?.value : undefined
}

/** Address, secrets and settings of one vendor: variables before `vendors.<id>`; settings also in `plugins.<id>`. */
export function vendorConfig(vendor: Vendor, open: OpenSettings): VendorConfig {
  const url = open.env.get(urlVariable(vendor.id)) ?? textOf(entryOf(open.vendors, vendor.id, 'url'))
  const secrets = new Map<string, string>()
  const missing: string[] = []
  for (const [name, variable] of [...Object.entries(vendor.secrets ?? {}), ...Object.entries(vendor.optionalSecrets ?? {})]) {
    const value = (open.env.get(variable) ?? textOf(entryOf(open.vendors, vendor.id, name)))?.trim() ?? ''
    if (value !== '') secrets.set(name, value)
    else if (vendor.secrets?.[name] !== undefined) missing.push(variable)
  }
  return {
    url: url === undefined || url === '' ? null : url.replace(/(?<!\/)\/+$/, ''),
    secrets,
    missing,
    settings: vendorSettings(vendor, open)?.values ?? {},
  }
}

/** Secrets of a vendor that were pasted with quotes or control characters. */
export function secretProblems(vendor: Vendor, { vendors, env }: Pick<OpenSettings, 'vendors' | 'env'>): ConfigProblem[] {
  return [...Object.entries(vendor.secrets ?? {}), ...Object.entries(vendor.optionalSecrets ?? {})].flatMap(([name, variable]) => {
    const node = entryOf(vendors, vendor.id, name)
    const fault = pasteFault(env.get(variable) ?? textOf(node) ?? '')
    const where = env.has(variable) ? variable : (node?.where ?? variable)
    return fault === null ? [] : [{ where, message: `vendors.${vendor.id}.${name} ${fault}`, level: 'error' } as const]
  })
}

/** Declared settings of a vendor, or null when it declares none. */
export function vendorSettings(vendor: Vendor, { vendors, plugins, env, compiler }: OpenSettings): DeclaredSettings | null {
  if (vendor.settings === undefined) return null
  const written = (name: string): Located | undefined => entryOf(vendors, vendor.id, name) ?? entryOf(plugins, vendor.id, name)
  return declaredSettings({
    group: plugins.has(vendor.id) ? 'plugins' : 'vendors',
    owner: vendor.id,
    schema: vendor.settings,
    env,
    written,
    compiler,
  })
}

/** Invalid addresses of vendors, reported before plugins are loaded. */
export function addressProblems({ vendors, env }: Pick<OpenSettings, 'vendors' | 'env'>): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const check = (name: string, where: string, text: string | undefined): void => {
    if (text === undefined || !ADDRESS.test(text) || !isWebAddress(text))
      problems.push({ where, message: `${name} must be an address that begins with http:// or https://`, level: 'error' })
  }
  for (const [variable, text] of env) if (/^CAPSTAN_VENDOR_.+_URL$/.test(variable)) check('the address', variable, text)
  for (const [id, { where, value }] of vendors) {
    if (value.kind === 'nothing') continue
    if (value.kind !== 'map')
      problems.push({ where, message: `vendors.${id} must be a group of settings: url, secrets, settings`, level: 'error' })
    else {
      const url = value.entries.get('url')?.value
      if (url !== undefined && url.kind !== 'nothing') check(`vendors.${id}.url`, url.where, textOf(url))
    }
  }
  return problems
}

function textOf(node: Located | undefined): string | undefined {
  return node?.kind === 'text' && node.text !== '' ? node.text : undefined
}
