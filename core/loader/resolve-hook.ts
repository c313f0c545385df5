import type { ResolveHook } from 'node:module'
import { isBare, MODULES, ORIGIN, VERSION } from './module-query.js'

// Runs in Node's hooks thread, without state: a third-party module's URL contains the plugin's version.

const TESTKIT = new URL('../sdk/testkit/index.js', import.meta.url).href

/** Resolves `capstan/sdk` and `capstan/contracts/<plugin>` to the gateway's, and adds a plugin's version to its URLs. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const parent = context.parentURL === undefined ? null : new URL(context.parentURL)
  const version = parent?.searchParams.get(VERSION) ?? null
  if (parent === null || version === null) return await next(specifier, context)
  const origin = parent.searchParams.get(ORIGIN) ?? ''
  if (specifier === 'capstan/sdk')
    return { url: new URL('core/sdk/index.js', parent.searchParams.get(MODULES) ?? '').href, shortCircuit: true }
  if (specifier === 'capstan/sdk/testkit') return { url: TESTKIT, shortCircuit: true }
  const contract = /^capstan\/contracts\/([a-z0-9-]+)$/.exec(specifier)?.[1]
  if (contract !== undefined) return { url: new URL(`${contract}/contract.js`, origin).href, shortCircuit: true }
  const resolved = await next(specifier, context)
  if (isBare(specifier) || !resolved.url.startsWith('file:')) return resolved
  const url = new URL(resolved.url)
  for (const field of [VERSION, ORIGIN, MODULES]) url.searchParams.set(field, parent.searchParams.get(field) ?? '')
  return { ...resolved, url: url.href }
}
