import { resolve } from 'node:path'
import { describe, type LocatedEntry } from './located.js'
import type { Folders } from './paths.js'
import type { ConfigProblem } from './types.js'
import { programVariable, type Environment } from './variables.js'

/** A program's path as the operator set it. */
export interface WrittenProgram {
  readonly where: string
  readonly path: string
  readonly source: 'file' | 'variable'
}

/** Paths of programs; a variable names its program only once programs are known, so it is looked up by name. */
export function programPaths(
  entries: ReadonlyMap<string, LocatedEntry>,
  env: Environment,
  folders: Folders,
  problems: ConfigProblem[],
): (name: string) => WrittenProgram | null {
  const fromFile = new Map<string, WrittenProgram>()
  for (const [name, { where, value }] of entries) {
    if (value.kind === 'text') fromFile.set(name, { where, path: resolve(folders.file, value.text), source: 'file' })
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
    if (text !== undefined) return { where: variable, path: resolve(folders.variable, text), source: 'variable' }
    return fromFile.get(name) ?? null
  }
}
