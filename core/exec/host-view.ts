import { existsSync } from 'node:fs'
import { Fault, type HostView } from '../sdk/index.js'
import { SYSTEM_FILES, systemLinks } from './bwrap-args.js'
import type { SandboxOptions } from './host.js'
import { findProgram, programFolders } from './programs.js'
import { shownFolders } from './shown.js'
import { placesOf } from './view.js'

/** The options that determine the view of a program. */
export type ViewOptions = Pick<SandboxOptions, 'programs' | 'protectedPaths' | 'coveredFolders'>

/**
 * The part of this machine that a program with its own isolation may see: the same as in the sandbox. Throws Fault `missing` for a program
 * that is not installed, `broken` for one whose folder must not be visible.
 */
export function hostView(options: ViewOptions, name: string): HostView {
  const { programs, protectedPaths, coveredFolders = [] } = options
  const program = findProgram(name, programs(name))
  if (program === undefined) throw new Fault('missing', `The program ${name} is not installed here.`)
  const own = [
    '/usr',
    ...SYSTEM_FILES.filter((path) => existsSync(path)),
    ...shownFolders(options, programFolders(program, coveredFolders)),
  ]
  const shown = [
    ...own.map((path) => ({ at: path, from: path })),
    ...systemLinks().map((link) => ({ at: `/${link}`, from: `/usr/${link}` })),
  ]
  return { program, places: placesOf(shown, [...protectedPaths, ...coveredFolders]) }
}
