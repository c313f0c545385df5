import { Fault, type ProgramFile } from '../sdk/index.js'
import { isPlainName } from './tar.js'

const MAX_FILES = 200

export interface InputFile {
  readonly name: string
  readonly data: Uint8Array
}

/** A file of the host that a program sees read-only. */
export interface MountedFile {
  readonly name: string
  /** Absolute path. */
  readonly from: string
}

/** True for a file given as bytes; false for a file of the call. */
export function isInMemory(file: ProgramFile): file is InputFile {
  return file.data instanceof Uint8Array
}

/** Throws Fault `invalid` for input files that have no plain names of one level, are duplicates, are too many, or do not fit the job folder. */
export function checkInputFiles(files: readonly ProgramFile[], diskMb: number): void {
  const names = new Set<string>()
  let bytes = 0
  files.forEach(({ name, data }, index) => {
    const refuse = (why: string): never => {
      throw new Fault('invalid', `the file name ${JSON.stringify(name.slice(0, 80))} ${why}`, { loc: ['input_files', index, 'name'] })
    }
    if (name.includes('/') || !isPlainName(name)) refuse('must be a plain name without folders that does not begin with a dot')
    if (names.has(name)) refuse('is given twice')
    names.add(name)
    if (data instanceof Uint8Array) bytes += data.length
  })
  if (files.length > MAX_FILES) throw new Fault('invalid', `at most ${MAX_FILES} input files are accepted`, { loc: ['input_files'] })
  if (bytes > diskMb * 1024 * 1024)
    throw new Fault('invalid', `the input files are larger than the job folder of ${diskMb} MiB`, { loc: ['input_files'] })
}
