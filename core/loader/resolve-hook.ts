import type { ResolveHook } from 'node:module'
import { isBare, ORIGIN, VERSION } from './module-query.js'

/*
 * Runs in Node's hooks thread. An import made by a third-party module carries, in the address of that module, which version of
 * the plugin it is and where the gateway's modules are; nothing is remembered here.
 */

const SDK = new URL('../sdk/index.js', import.meta.url).href
const TESTKIT = new URL('../sdk/testkit/index.js', import.meta.url).href

/** Answers `capstan/sdk` and `capstan/contracts/<plugin>` with the gateway's own modules, and hands a plugin's version on to its files. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const parent = context.parentURL === undefined ? null : new URL(context.parentURL)
  const version = parent?.searchParams.get(VERSION) ?? null
  if (parent === null || version === null) return await next(specifier, context)
  const origin = parent.searchParams.get(ORIGIN) ?? ''
  if (specifier === 'capstan/sdk') return { url: SDK, shortCircuit: true }
  if (specifier === 'capstan/sdk/testkit') return { url: TESTKIT, shortCircuit: true }
  const contract = /^capstan\/contracts\/([a-z0-9-]+)$/.exec(specifier)?.[1]
  if (contract !== undefined) return { url: new URL(`${contract}/contract.js`, origin).href, shortCircuit: true }
  const resolved = await next(specifier, context)
  if (isBare(specifier) || !resolved.url.startsWith('file:')) return resolved
  const url = new URL(resolved.url)
  url.searchParams.set(VERSION, version)
  url.searchParams.set(ORIGIN, origin)
  return { ...resolved, url: url.href }
}
