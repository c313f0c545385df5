import { existsSync } from 'node:fs'
import type { SandboxStatus } from '../exec/types.js'
import { stateOf } from '../loader/liveness.js'
import type { LoadedProvider, Registry } from '../loader/types.js'
import { programsOf, type Vendor } from '../sdk/index.js'
import type { Check } from './types.js'

type FindProgram = (name: string) => string | undefined

/** The checks of the loaded registry. `program`: absolute path of an installed program; `now` in Unix milliseconds. */
export function registryChecks(registry: Registry, program: FindProgram, now: number): Check[] {
  const isThere = (name: string): boolean => program(name) !== undefined
  const extras = extrasCheck(registry, (vendor) => vendor.remarks?.(program, now) ?? [])
  const programs = programsCheck(registry, isThere)
  return [pluginsCheck(registry), programs, extras, browserCheck(registry), modelCheck(registry)]
}

/** Plugins and parts left out during loading, which no other list shows. */
function pluginsCheck({ plugins }: Registry): Check {
  const remarks = plugins.flatMap(({ reason, remarks }) => (reason === null ? remarks : [reason]))
  return {
    name: 'plugins',
    ok: remarks.length === 0,
    detail: remarks.length === 0 ? `${plugins.length} in use` : `set aside: ${remarks.join('; ')}`,
  }
}

/** An install command in place of Debian packages. */
const TOOL = /^npm run tools -- [a-z0-9-]+$/
const PACKAGES = /^[a-z0-9][a-z0-9.+-]*(?: [a-z0-9][a-z0-9.+-]*)*$/

/** Missing programs of local providers, with the commands that install them. */
function programsCheck(registry: Registry, isThere: (name: string) => boolean): Check {
  const all = [...registry.ports.values()].flatMap(({ providers }) => providers)
  const vendors = new Set(all.filter(({ optedOut }) => !optedOut).map(({ vendor }) => vendor))
  const sources = new Set([...vendors].flatMap((vendor) => missingSources(vendor, isThere)))
  const packages = [...sources].filter((source) => !TOOL.test(source) && PACKAGES.test(source)).flatMap((source) => source.split(' '))
  const tools = [...sources].filter((source) => TOOL.test(source)).map((source) => source.split(' ').at(-1))
  const commands = [
    ...(packages.length === 0 ? [] : [`apt-get install ${[...new Set(packages)].sort().join(' ')}`]),
    ...(tools.length === 0 ? [] : [`npm run tools -- ${tools.sort().join(' ')}`]),
  ]
  return {
    name: 'programs',
    ok: commands.length === 0,
    detail: commands.length === 0 ? 'all requirements of local providers are installed' : `some are missing: ${commands.join(' && ')}`,
  }
}

/** Optional packages for the programs of live vendors, and their remarks; never fails. */
function extrasCheck(registry: Registry, remarks: (vendor: Vendor) => readonly string[]): Check {
  const live = liveProviders(registry)
  const lacks = [...new Set(live.map(({ vendor }) => vendor))].flatMap((vendor) => [
    ...Object.entries(vendor.extras ?? {}).flatMap(([use, { packages, paths }]) =>
      paths.every((path) => existsSync(path)) ? [] : [`${use}: apt-get install ${packages}`],
    ),
    ...remarks(vendor),
  ])
  return {
    name: 'extras',
    ok: true,
    detail: lacks.length === 0 ? 'all optional packages of local programs are installed' : lacks.join('; '),
  }
}

/** The sources of a vendor's missing programs; of alternatives, the first. */
function missingSources({ programs = {}, anyProgram = {} }: Vendor, isThere: (name: string) => boolean): string[] {
  const first = Object.keys(anyProgram).some(isThere) ? [] : Object.values(anyProgram).slice(0, 1)
  return [...Object.entries(programs).flatMap(([name, source]) => (isThere(name) ? [] : [source])), ...first]
}

/** Providers that are live now. */
export function liveProviders({ ports }: Registry): LoadedProvider[] {
  return [...ports.values()].flatMap(({ providers }) => providers).filter((provider) => stateOf(provider) === 'live')
}

/** Programs that render pages. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'google-chrome', 'firefox']

/** Whether a provider can render pages with a local browser. */
function browserCheck(registry: Registry): Check {
  const all = [...registry.ports.values()].flatMap(({ providers }) => providers)
  const local = all.filter(({ vendor }) => BROWSERS.some((name) => name in programsOf(vendor)))
  const live = local.find(({ state }) => state === 'live')
  if (live !== undefined) return { name: 'browser', ok: true, detail: `${live.vendor.title} is installed` }
  const reason = local.find((provider) => provider.reason !== null)?.reason
  return { name: 'browser', ok: false, detail: reason ?? 'no plugin provides a browser' }
}

/** The port that language models serve. */
const MODEL_PORT = 'llm.chat'

function modelCheck(registry: Registry): Check {
  const providers = registry.ports.get(MODEL_PORT)?.providers ?? []
  const live = providers.filter(({ state }) => state === 'live').map(({ vendor }) => vendor.id)
  if (live.length > 0) return { name: 'model', ok: true, detail: live.join(', ') }
  const ways = providers.flatMap(({ reason }) => reason ?? [])
  return {
    name: 'model',
    ok: false,
    detail:
      ways.length === 0
        ? 'no plugin provides a language model; capabilities work without one'
        : `none, capabilities work without one; ${ways.join('; or ')}`,
  }
}

/** Name of the check that fails where several accounts may not share local programs. */
export const CALLER_PROGRAMS = 'caller programs'

/** Whether programs run isolated and within limits; fails without a status. The registry is read after the status. */
export async function sandboxCheck(status: Promise<SandboxStatus>, registry: () => Registry): Promise<Check> {
  try {
    const { live, detail, checks, memoryUnbounded = false } = await status
    const unbounded = unboundedVendors(registry())
    const failed = checks.filter(({ ok }) => !ok).map((check) => `${check.name}: ${check.detail}`)
    return {
      name: 'sandbox',
      ok: live && failed.length + unbounded.length === 0 && !memoryUnbounded,
      detail: [detail, ...failed, ...unbounded].join('; '),
    }
  } catch (error) {
    return { name: 'sandbox', ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether callers may run programs now; `refusal`: why not. */
export function callerProgramsCheck(refusal: string | null): Check {
  return { name: CALLER_PROGRAMS, ok: refusal === null, detail: refusal ?? 'may run' }
}

/** Limits that the own isolation of live vendors does not enforce here. */
function unboundedVendors(registry: Registry): string[] {
  const vendors = new Set(liveProviders(registry).map(({ vendor }) => vendor))
  return [...vendors].flatMap((vendor) => {
    const reason = vendor.memoryUnbounded?.() ?? null
    return reason === null ? [] : [`${vendor.title}: ${reason}`]
  })
}
