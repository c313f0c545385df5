import { existsSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { Config } from '../../../core/config/types.js'
import type { Registry } from '../../../core/loader/types.js'
import { findProgram } from '../../../core/exec/programs.js'
import { portChecks } from './port-checks.js'
import { registryChecks, sandboxCheck } from '../../../core/diagnosis/registry-checks.js'
import type { Check } from '../../../core/diagnosis/types.js'
import { folderCheck, ownChecks } from './own-checks.js'
import { storedChoices } from './provider-operations.js'
import type { Parts } from './types.js'
import type { Suspension } from '../../../core/dispatch/suspension.js'

/** Input of the checks. */
interface CheckRequest {
  readonly config: Config
  readonly registry: Registry
  readonly parts: Pick<Parts, 'store' | 'sandbox' | 'artifacts' | 'redis' | 'connects' | 'outside'>
  readonly root: string
  readonly now: number
  /** Result of `checkStore`. */
  readonly store: Check
}

interface StoreCheck {
  readonly check: Check
  /** With the orders and suspensions of the store. */
  readonly registry: Registry
  readonly suspensions: readonly Suspension[]
}

/** Checks everything except the providers that an answer may depend on. Creates nothing. */
export async function runChecks(request: CheckRequest): Promise<Check[]> {
  const { config, registry, parts } = request
  return [
    request.store,
    await redisCheck(request),
    await artifactsCheck(request),
    await sandboxCheck(parts.sandbox(config), () => registry),
    ...registryChecks(registry, (name) => findProgram(name, config.program(name) ?? undefined), request.now),
    ...(await portChecks(request)),
    ...ownChecks(request),
    ...(await parts.outside(config)),
  ]
}

/** Checks the store, and reads what operators set while a gateway ran: orders and suspensions. */
export async function checkStore({ config, registry, parts }: Omit<CheckRequest, 'store'>): Promise<StoreCheck> {
  const without = { registry, suspensions: [] }
  const [, file] = /^sqlite:(.+)$/.exec(config.settings.store) ?? []
  if (file !== undefined && !existsSync(file)) {
    const check = folderCheck('store', dirname(file), settingOf(config, 'store', file))
    return { ...without, check: { ...check, ...(check.ok ? { detail: `${file} will be created at the first start` } : {}) } }
  }
  try {
    const store = await parts.store(config)
    try {
      await store.ping()
      const choices = await storedChoices(store, registry)
      const check = { name: 'store', ok: true, detail: await store.describe() }
      return { registry: choices.registry(), suspensions: choices.suspensions.list(), check }
    } finally {
      await store.close()
    }
  } catch (error) {
    return { ...without, check: { name: 'store', ok: false, detail: messageOf(error) } }
  }
}

/** The variable that changes a place: CAPSTAN_DATA for one in the data folder. */
function settingOf(config: Config, name: 'store' | 'artifacts', path: string): string {
  return config.variable(path.startsWith(`${config.settings.data}${sep}`) ? 'data' : name)
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
  if (folder !== undefined) return folderCheck('artifacts', folder, settingOf(config, 'artifacts', folder))
  try {
    return { name: 'artifacts', ok: true, detail: await parts.artifacts(config) }
  } catch (error) {
    return { name: 'artifacts', ok: false, detail: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
