import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Fault } from '../sdk/index.js'
import { isInside } from './inside.js'

const TOO_WIDE = ['/', '/etc', '/home', '/proc', '/root', '/run', '/sys', '/dev', '/tmp', '/var', '/job']

/** Folders that may be visible read-only inside. Throws Fault `broken` for one that is protected, missing, or so wide that it would expose the machine. */
export function shownFolders(host: { readonly protectedPaths: readonly string[] }, folders: readonly string[]): string[] {
  for (const folder of folders) {
    const why = refusal(host, folder)
    if (why !== null) throw new Fault('broken', 'the sandbox could not start the program', { internal: `the folder ${folder} ${why}` })
  }
  return [...new Set(folders)]
}

/** The reason why a folder must not be visible; null when it may be. */
export function refusal(host: { readonly protectedPaths: readonly string[] }, folder: string): string | null {
  if (!isAbsolute(folder) || !existsSync(folder)) return 'does not exist'
  if (host.protectedPaths.some((path) => isInside(folder, path))) return 'is protected and is not shown in a sandbox'
  return TOO_WIDE.includes(folder) ? 'is too wide to be shown in a sandbox' : null
}
