import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder, not a file'],
  ['ENOTDIR', 'a part of its path is a file, not a folder'],
  ['EEXIST', 'it is a file, not a folder'],
  ['EACCES', 'this user may not read or write it'],
  ['EPERM', 'this user may not read or write it'],
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'its disk is full'],
  ['ENAMETOOLONG', 'its name is too long'],
])

/** The reason why a file or folder cannot be used, as a phrase to append to its path. */
export function fileFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return WORDS.get(code) ?? error.message
}

/** The reason why a file cannot be opened or created as a database, as a phrase to append to its path; null when none is found. */
export function databaseFault(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory() === true) return 'it is a folder, not a file'
    const place = found === undefined ? dirname(file) : file
    if (!existsSync(place)) return `there is no folder ${place}`
    accessSync(place, constants.R_OK | constants.W_OK)
    return null
  } catch (error) {
    const isOthers = error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
    const remedy = isOthers ? ': run this as the user of the gateway, or name another data folder (CAPSTAN_DATA)' : ''
    return `${fileFault(error)}${remedy}`
  }
}

/** True when the path does not exist; false when that cannot be determined. */
export function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR'
  }
}

/** True for an existing path that is not a folder. */
export function isFile(path: string): boolean {
  return !isAbsent(path) && existsSync(path) && !statSync(path).isDirectory()
}
