import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Fault } from '../sdk/index.js'
import { isInside } from './bwrap-args.js'

/** Folders that may be shown read-only inside. Throws Fault `broken` for one that is protected, missing, or so wide that it would show the machine. */
export function shownFolders(host: { readonly protectedPaths: readonly string[] }, folders: readonly string[]): string[] {
  for (const folder of folders) {
    const refuse = (why: string): never => {
      throw new Fault('broken', 'the sandbox could not start the program', { internal: `the folder ${folder} ${why}` })
    }
    if (!isAbsolute(folder) || !existsSync(folder)) refuse('does not exist')
    if (host.protectedPaths.some((path) => isInside(folder, path))) refuse('is protected and is not shown in a sandbox')
    if (['/', '/etc', '/home', '/proc', '/root', '/run', '/sys', '/dev', '/tmp', '/var', '/job'].includes(folder))
      refuse('is too wide to be shown in a sandbox')
  }
  return [...new Set(folders)]
}
