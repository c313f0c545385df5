import type { LoadedProvider } from '../../../../core/loader/types.js'
import type { VendorAccess } from '../../../../core/sdk/host.js'
import type { Vendor } from '../../../../core/sdk/index.js'
import type { FixtureCase } from './fixture.js'
import { HOST_MARK } from './replay.js'
import { parseUrl } from '../../../../core/sdk/url.js'

/** Access to a vendor replayed on loopback: every declared secret NAME has the value `secret-NAME`, those of `without` are not set. */
export function replayAccess(
  { vendor, contribution }: LoadedProvider,
  url: string,
  { settings = {}, without = [] }: Pick<FixtureCase, 'settings' | 'without'>,
): VendorAccess {
  const declared = secretNames(vendor)
  const needed = without.find((name) => !Object.hasOwn(vendor.optionalSecrets ?? {}, name))
  if (needed !== undefined) throw new TypeError(`"without" names "${needed}", which is not an optional secret of vendor ${vendor.id}`)
  const hosts = Object.fromEntries(
    Object.entries(vendor.hosts ?? {}).map(([name, address]) => [name, `https://vendor.invalid${HOST_MARK}${name}${pathOf(address)}`]),
  )
  const remote = vendor.baseUrl !== undefined || vendor.needsUrl === true
  return {
    vendor: { ...vendor, hosts },
    baseUrl: remote ? url : '',
    operatorUrl: true,
    settings: { ...defaultsOf(contribution), ...defaultsOf(vendor), ...settings },
    secret: (name) => {
      if (!declared.includes(name)) throw new TypeError(`vendor ${vendor.id} reads the secret "${name}", which it does not declare`)
      return without.includes(name) ? '' : `secret-${name}`
    },
  }
}

/** Names of the secrets a vendor declares. */
export function secretNames({ secrets = {}, optionalSecrets = {} }: Vendor): string[] {
  return [...Object.keys(secrets), ...Object.keys(optionalSecrets)]
}

/** Path of a vendor's address or of one of its further hosts, without a trailing slash. */
export function basePathOf({ baseUrl, hosts = {} }: Vendor, host: string | null): string {
  return pathOf((host === null ? baseUrl : hosts[host]) ?? '')
}

function pathOf(address: string): string {
  return (parseUrl(address)?.pathname ?? '').replace(/(?<!\/)\/+$/, '')
}

function defaultsOf({ settings }: Pick<Vendor, 'settings'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings?.properties ?? {}).flatMap(([name, schema]) => ('default' in schema ? [[name, schema.default]] : [])),
  )
}
