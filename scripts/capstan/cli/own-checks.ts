import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../../core/config/types.js'
import { isFile } from '../../../core/runtime/file-faults.js'
import type { Check } from '../../../core/diagnosis/types.js'

/** Below this many bytes the ledger may soon be unable to write. */
const LEAST_FREE = 256 * 1024 * 1024
/** Largest accepted difference between the clocks of the gateway and this machine, in milliseconds. */
const APART_MS = 10_000
const MIB = 1024 * 1024

interface OwnChecksRequest {
  readonly config: Config
  readonly root: string
  /** Unix milliseconds. */
  readonly now: number
  /** Difference to the clock of the running gateway, in milliseconds. */
  readonly apartMs?: number
}

/** The checks that a command makes itself, even with a running gateway: disk and clock. */
export function ownChecks(request: OwnChecksRequest): Check[] {
  return [diskCheck(request.config), clockCheck(request)]
}

function diskCheck(config: Config): Check {
  const { data } = config.settings
  const check = folderCheck('disk', data, config.variable('data'))
  if (!check.ok) return check
  const { bavail, bsize } = statfsSync(existing(data))
  const free = bavail * bsize
  const detail = `${Math.floor(free / MIB)} MiB free at ${data}`
  return {
    name: 'disk',
    ok: free >= LEAST_FREE,
    detail: free >= LEAST_FREE ? detail : `${detail}, less than ${LEAST_FREE / MIB}: free some space`,
  }
}

/** A clock before the date of the installed files is wrong: expiry and rate limits depend on it. */
function clockCheck({ root, now, apartMs = 0 }: OwnChecksRequest): Check {
  const installed = statSync(join(root, 'package.json')).mtimeMs
  const at = new Date(now).toISOString()
  if (now < installed - 86_400_000)
    return { name: 'clock', ok: false, detail: `${at} is before the day this was installed; set the system time` }
  const apart = Math.abs(apartMs)
  if (apart <= APART_MS) return { name: 'clock', ok: true, detail: at }
  return {
    name: 'clock',
    ok: false,
    detail: `${at} here is ${Math.round(apart / 1000)} s from the clock of the gateway; set the system time`,
  }
}

function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}

/** Checks that a folder is writable; `variable` sets another one. */
export function folderCheck(name: string, folder: string, variable: string): Check {
  const ok = writable(folder)
  if (ok) return { name, ok, detail: folder }
  const place = existing(folder)
  const why = isFile(place) ? 'is a file, not a folder: set' : 'cannot be written: change its owner, or set'
  return { name, ok, detail: `${place} ${why} ${variable} to another one` }
}

/** True when a folder can be written, or created below its nearest existing parent. */
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
