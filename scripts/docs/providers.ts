import { settingVariable, urlVariable } from '../../core/config/variables.js'
import type { LoadedCapability, LoadedPort, LoadedProvider, Registry } from '../../core/loader/types.js'
import type { Vendor } from '../../core/sdk/index.js'

/** The ports that answer a capability: its own where providers serve it, and those that its handler uses. */
export function portsOf({ capability, handler }: LoadedCapability, { ports }: Pick<Registry, 'ports'>): LoadedPort[] {
  const own = ports.get(capability.id)
  const used = handler === null ? [] : (capability.uses ?? []).flatMap(({ id }) => ports.get(id) ?? [])
  return [...new Set([...(own === undefined || own.all.length === 0 ? [] : [own]), ...used])]
}

/** Providers of a port in their default order, then those that are used only where the operator names them. */
export function inOrder({ providers, all }: LoadedPort): LoadedProvider[] {
  return [...providers, ...all.filter((provider) => !providers.includes(provider))]
}

/** True for a provider that is used without an account, an address or an order of the operator. */
export function isFree({ kind, vendor }: LoadedProvider): boolean {
  return kind !== 'keyed' && vendor.optIn !== true && vendor.needsUrl !== true
}

/** What a provider needs before it is live, with the variables to set and the packages to install. */
export function needsOf({ vendor, contribution }: LoadedProvider): string {
  const secrets = Object.values(vendor.secrets ?? {}).map(code)
  const keys = vendor.keylessWithUrl === true ? secrets.map((secret) => `${secret} if its server asks for it`) : secrets
  const optional = Object.entries(vendor.optionalSecrets ?? {}).map(
    ([name, variable]) => `${code(variable)}${(contribution.needs ?? []).includes(name) ? '' : ' (optional)'}`,
  )
  const programs = Object.entries(vendor.programs ?? {}).map(([name, source]) => program(name, source))
  const any = Object.entries(vendor.anyProgram ?? {}).map(([name, source]) => program(name, source))
  const all = [
    ...(vendor.needsUrl === true ? [code(urlVariable(vendor.id))] : []),
    ...keys,
    ...optional,
    ...programs,
    ...(any.length === 0 ? [] : [any.join(' or ')]),
    ...(vendor.optIn === true ? ['its name in the order of the port'] : []),
  ]
  return all.length === 0 ? 'nothing' : all.join(', ')
}

/** Settings that a vendor declares, with their defaults. */
export function settingsOf({ id, settings }: Vendor): string {
  return Object.entries(settings?.properties ?? {})
    .map(([name, schema]) => {
      const standard: unknown = 'default' in schema ? schema.default : null
      const text =
        standard === null || standard === '' || (Array.isArray(standard) && standard.length === 0) ? '' : ` (${JSON.stringify(standard)})`
      return `${code(settingVariable(id, name))}${text}`
    })
    .join(', ')
}

/** A program with its Debian packages, or with the command that brings it. */
function program(name: string, source: string): string {
  if (source === '' || source === name) return code(name)
  return `${code(name)} (${source.startsWith('npm ') ? code(source) : source})`
}

const code = (text: string): string => `\`${text}\``
