import { readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/**
 * Descriptors above 2 that a child of this process would inherit. Node opens its own close-on-exec; these come from the parent of the
 * gateway and could be a way out of the sandbox.
 */
export function inheritedDescriptors(folder = '/proc/self'): number[] {
  return readdirSync(`${folder}/fd`)
    .map(Number)
    .filter((fd) => fd > 2 && inherits(folder, fd))
}

function inherits(folder: string, fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`${folder}/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch (error) {
    // The descriptor of the listing itself is closed by now.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
