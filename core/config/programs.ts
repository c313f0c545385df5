import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, type LocatedEntry } from './located.js'
import { pasteFault } from './convert.js'
import { homeFault, type Folders } from './paths.js'
import type { ConfigProblem } from '../problems/errors.js'
import { programVariable, type Variables } from './variables.js'

/** A program's path set by the operator. */
export interface WrittenProgram {
  readonly where: string
  readonly written: string
  readonly path: string
  readonly source: 'file' | 'variable'
}

/** Paths of programs; looked up by program name, since a variable alone does not determine its program. */
export function programPaths(
  entries: ReadonlyMap<string, LocatedEntry>,
  env: Variables,
  folders: Folders,
  problems: ConfigProblem[],
): (name: string) => WrittenProgram | null {
  const fromFile = new Map<string, WrittenProgram>()
  for (const [name, { where, value }] of entries) {
    if (value.kind === 'text') fromFile.set(name, { where, written: value.text, path: resolve(folders.file, value.text), source: 'file' })
    else if (value.kind !== 'nothing')
      problems.push({
        where: value.where,
        message: `programs.${name} must be the path of a program, not ${describe(value)}`,
        level: 'error',
      })
  }
  return (name) => {
    const variable = programVariable(name)
    const text = env.get(variable)
    if (text !== undefined) return { where: variable, written: text, path: resolve(folders.variable, text), source: 'variable' }
    return fromFile.get(name) ?? null
  }
}

/** The fault of a program's path, or null. */
export function programFault({ written, path }: WrittenProgram): string | null {
  const fault = pasteFault(written) ?? homeFault(written)
  if (fault !== null) return `the path ${fault}`
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === true) return null
  return found?.isDirectory() === true ? `${path} is a folder, not a program` : `there is no program at ${path}`
}
