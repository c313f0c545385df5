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
export function needsOf({ vendor, contribution, plugin }: LoadedProvider): string {
  const needed = contribution.needs ?? []
  const address = code(urlVariable(vendor.id))
  const optional = Object.entries(vendor.optionalSecrets ?? {}).map(
    ([name, variable]) => `${code(variable)}${needed.includes(name) ? '' : ' (optional)'}`,
  )
  const settings = needed
    .filter((name) => !Object.hasOwn(vendor.optionalSecrets ?? {}, name))
    .map((name) => code(settingVariable(Object.hasOwn(vendor.settings?.properties ?? {}, name) ? vendor.id : plugin, name)))
  const any = Object.entries(vendor.anyProgram ?? {}).map(([name, from]) => program(name, from))
  const all = [
    ...(vendor.needsUrl === true ? [address] : []),
    ...keysOf(vendor, address),
    ...optional,
    ...settings,
    ...Object.entries(vendor.programs ?? {}).map(([name, from]) => program(name, from)),
    ...(any.length === 0 ? [] : [any.join(' or ')]),
    ...(vendor.optIn === true ? ['its name in the order of the port'] : []),
  ]
  return all.length === 0 ? 'nothing' : all.join(', ')
}

/** Variables of required secrets; a server of the operator may do without. */
function keysOf({ secrets = {}, keylessWithUrl, needsUrl }: Vendor, address: string): string[] {
  const keys = Object.values(secrets).map(code)
  if (keylessWithUrl !== true || keys.length === 0) return keys
  return needsUrl === true ? keys.map((key) => `${key} (optional)`) : [`${keys.join(' and ')} or ${address}`]
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
function program(name: string, from: string): string {
  if (from === '' || from === name) return code(name)
  return `${code(name)} (${from.startsWith('npm ') ? code(from) : from})`
}

const code = (text: string): string => `\`${text}\``
