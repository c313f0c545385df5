import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config/index.js'
import type { Registry } from '../loader/types.js'
import { findProgram } from '../exec/programs.js'
import { programsOf, chat, type Vendor } from '../sdk/index.js'
import { portChecks } from './port-checks.js'
import type { Check } from './diagnosis.js'
import type { Parts } from './types.js'

/** What the checks look at. */
export interface CheckRequest {
  readonly config: Config
  readonly registry: Registry
  readonly parts: Pick<Parts, 'store' | 'sandbox' | 'artifacts' | 'redis' | 'connects'>
  readonly root: string
  readonly now: number
}

/** Looks at everything beside the providers that an answer may depend on. Nothing is made that was not there. */
export async function runChecks(request: CheckRequest): Promise<Check[]> {
  const { registry } = request
  return [
    await storeCheck(request),
    await redisCheck(request),
    await artifactsCheck(request),
    await sandboxCheck(request),
    pluginsCheck(registry),
    programsCheck(request),
    extrasCheck(registry),
    browserCheck(registry),
    modelCheck(registry),
    ...(await portChecks(request)),
    clockCheck(request),
  ]
}

async function storeCheck({ config, parts }: CheckRequest): Promise<Check> {
  const [, file] = /^sqlite:(.+)$/.exec(config.settings.store) ?? []
  if (file !== undefined && !existsSync(file))
    return { ...folderCheck('store', dirname(file)), ...(writable(dirname(file)) ? { detail: `${file} is made at the first start` } : {}) }
  try {
    const store = await parts.store(config)
    try {
      await store.ping()
      return { name: 'store', ok: true, detail: await store.describe() }
    } finally {
      await store.close()
    }
  } catch (error) {
    return { name: 'store', ok: false, detail: messageOf(error) }
  }
}

async function redisCheck({ config, parts }: CheckRequest): Promise<Check> {
  if (config.settings.redis === null)
    return {
      name: 'redis',
      ok: true,
      detail: `not configured: limits are kept in memory, set ${config.variable('redis')} to share them between replicas`,
    }
  try {
    const { shared, detail } = await parts.redis(config)
    return { name: 'redis', ok: shared, detail }
  } catch (error) {
    return { name: 'redis', ok: false, detail: messageOf(error), fatal: true }
  }
}

async function artifactsCheck({ config, parts }: CheckRequest): Promise<Check> {
  const [, folder] = /^file:(.+)$/.exec(config.settings.artifacts) ?? []
  if (folder !== undefined) return folderCheck('artifacts', folder)
  try {
    return { name: 'artifacts', ok: true, detail: await parts.artifacts(config) }
  } catch (error) {
    return { name: 'artifacts', ok: false, detail: messageOf(error) }
  }
}

async function sandboxCheck({ config, parts, registry }: CheckRequest): Promise<Check> {
  const unbounded = unboundedVendors(registry)
  try {
    const { live, detail, checks, memoryUnbounded = false } = await parts.sandbox(config)
    const failed = checks.filter(({ ok }) => !ok).map((check) => `${check.name}: ${check.detail}`)
    return {
      name: 'sandbox',
      ok: live && [...failed, ...unbounded].length === 0 && !memoryUnbounded,
      detail: [detail, ...failed, ...unbounded].join('; '),
    }
  } catch (error) {
    return { name: 'sandbox', ok: false, detail: messageOf(error) }
  }
}

/** What the own isolation of live vendors does not bound here. */
function unboundedVendors(registry: Registry): string[] {
  const live = [...registry.ports.values()].flatMap(({ providers }) => providers).filter(({ state }) => state === 'live')
  const vendors = new Set(live.map(({ vendor }) => vendor))
  return [...vendors].flatMap((vendor) => {
    const reason = vendor.memoryUnbounded?.() ?? null
    return reason === null ? [] : [`${vendor.title}: ${reason}`]
  })
}

/** What was left out while plugins were loaded: it is in no list of what does not answer. */
function pluginsCheck({ plugins }: Registry): Check {
  const remarks = plugins.flatMap(({ reason, remarks }) => (reason === null ? remarks : [reason]))
  return {
    name: 'plugins',
    ok: remarks.length === 0,
    detail: remarks.length === 0 ? `${plugins.length} in use` : `set aside: ${remarks.join('; ')}`,
  }
}

/** Words in the place of a Debian package that are a command of their own. */
const TOOL = /^npm run tools -- [a-z0-9-]+$/
const PACKAGES = /^[a-z0-9][a-z0-9.+-]*(?: [a-z0-9][a-z0-9.+-]*)*$/

/** The one command of each kind that brings what providers on this machine lack. */
function programsCheck({ config, registry }: CheckRequest): Check {
  const isThere = (name: string): boolean => findProgram(name, config.program(name) ?? undefined) !== undefined
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
    detail: commands.length === 0 ? 'what providers on this machine need is installed' : `some are missing: ${commands.join(' && ')}`,
  }
}

/** What the programs of live vendors could use besides; its absence is no failure. */
function extrasCheck(registry: Registry): Check {
  const live = [...registry.ports.values()].flatMap(({ providers }) => providers).filter(({ state }) => state === 'live')
  const lacks = [...new Set(live.map(({ vendor }) => vendor))].flatMap(({ extras = {} }) =>
    Object.entries(extras).flatMap(([use, { packages, paths }]) =>
      paths.every((path) => existsSync(path)) ? [] : [`${use}: apt-get install ${packages}`],
    ),
  )
  return { name: 'extras', ok: true, detail: lacks.length === 0 ? 'everything that programs here can use is installed' : lacks.join('; ') }
}

/** Where the programs come from that a vendor cannot do without. Of several that do, the first. */
function missingSources({ programs = {}, anyProgram = {} }: Vendor, isThere: (name: string) => boolean): string[] {
  const first = Object.keys(anyProgram).some(isThere) ? [] : Object.values(anyProgram).slice(0, 1)
  return [...Object.entries(programs).flatMap(([name, source]) => (isThere(name) ? [] : [source])), ...first]
}

/** Programs that render pages. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'google-chrome', 'firefox']

/** Whether some provider can render pages with a browser of this machine. */
function browserCheck(registry: Registry): Check {
  const all = [...registry.ports.values()].flatMap(({ providers }) => providers)
  const local = all.filter(({ vendor }) => BROWSERS.some((name) => name in programsOf(vendor)))
  const live = local.find(({ state }) => state === 'live')
  if (live !== undefined) return { name: 'browser', ok: true, detail: `${live.vendor.title} is installed` }
  const reason = local.find((provider) => provider.reason !== null)?.reason
  return { name: 'browser', ok: false, detail: reason ?? 'no plugin brings a browser' }
}

function modelCheck(registry: Registry): Check {
  const providers = registry.ports.get(chat.id)?.providers ?? []
  const live = providers.filter(({ state }) => state === 'live').map(({ vendor }) => vendor.id)
  if (live.length > 0) return { name: 'model', ok: true, detail: live.join(', ') }
  const ways = providers.flatMap(({ reason }) => reason ?? [])
  return {
    name: 'model',
    ok: false,
    detail:
      ways.length === 0
        ? 'no plugin brings a language model; capabilities do without'
        : `none, capabilities do without; ${ways.join('; or ')}`,
  }
}

/** A clock that is behind the installed files has lost the time: expiry and rate limits depend on it. */
function clockCheck({ root, now }: CheckRequest): Check {
  const installed = statSync(join(root, 'package.json')).mtimeMs
  const at = new Date(now).toISOString()
  const ok = now >= installed - 86_400_000
  return { name: 'clock', ok, detail: ok ? at : `${at} is before the day this was installed; set the system time` }
}

function folderCheck(name: string, folder: string): Check {
  const ok = writable(folder)
  return { name, ok, detail: ok ? folder : `${folder} cannot be written; change its owner or the setting` }
}

/** True when a folder can be written, or made below the nearest one that exists. */
function writable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && writable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
