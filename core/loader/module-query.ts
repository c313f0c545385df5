import { pathToFileURL } from 'node:url'

/** Query field with the fingerprint of a third-party plugin, so that only changed files are imported again. */
export const VERSION = 'v'
/** Query field with the address of the folder of the bundled plugins. */
export const ORIGIN = 'of'
/** Query field with the URL of the folder with the gateway's modules. */
export const MODULES = 'modules'

/** True for the name of a package, false for a path or an address. */
export function isBare(specifier: string): boolean {
  return !/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(specifier)
}

/** The URL by which a third-party file is imported. */
export function versionedUrl(file: string, version: string, firstParty: string, modules: string): string {
  const url = pathToFileURL(file)
  url.searchParams.set(VERSION, version)
  url.searchParams.set(ORIGIN, `${pathToFileURL(firstParty).href}/`)
  url.searchParams.set(MODULES, modules)
  return url.href
}
