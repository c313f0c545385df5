import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { fileFault } from '../../../core/runtime/file-faults.js'
import { isRecord } from '../../../core/sdk/json.js'
import { withoutLongBytes } from '../answer-files.js'
import { resultFiles, saveAnswer, saveFile, type SavedFile } from './answer-file.js'
import type { Origin } from './answer-name.js'
import { Failure, UsageError } from './failure.js'
import { present } from './present.js'
import { fieldOf } from './record.js'
import { shortPath, wantsJson, type Shell } from './shell.js'
import type { Command } from 'commander'

/** What is done with an answer. */
interface Output {
  readonly origin: Origin
  /** The file or folder to write to. */
  readonly out: string | undefined
}

/**
 * Prints the envelope of a successful call. A program gets it as JSON on one line. On a terminal the files of the answer are saved in the
 * working folder, under names that no file has, and named on standard error; bytes in base64 are never printed there. With `out` the file is
 * written there, or all of them if it is a folder, and nothing is printed unless `--json` is given. Throws a Failure when a file cannot be
 * fetched or written, after everything else was printed.
 */
export async function printAnswer(shell: Shell, command: Command, body: unknown, { origin, out }: Output): Promise<void> {
  const { io } = shell
  const target = out === undefined ? io.cwd : resolve(io.cwd, out)
  const isOneFile = out !== undefined && !isFolder(target)
  const isForProgram = io.columns === undefined
  if (isForProgram && (out === undefined || wantsJson(command))) await io.out(`${JSON.stringify(body)}\n`)
  if (isForProgram && out === undefined) return
  const { shown, failure } = isOneFile ? await toFile(shell, body, { origin, target }) : await toFolder(shell, body, { origin, target })
  if (!isForProgram && wantsJson(command)) await io.out(`${JSON.stringify(isRecord(body) ? { ...body, data: shown } : body)}\n`)
  else if (out === undefined) await io.out(`${await present(shown, io.columns)}\n`)
  if (failure !== null) throw failure
}

interface Target {
  readonly origin: Origin
  /** Absolute path of a file or folder. */
  readonly target: string
}

interface Written {
  /** The data without bytes in base64. */
  readonly shown: unknown
  readonly failure: Failure | null
}

/** Writes the file of the answer; an answer without one as JSON into a file of this ending, else as text. */
async function toFile({ io }: Shell, body: unknown, { origin, target }: Target): Promise<Written> {
  const data = fieldOf(body, 'data')
  const name = shortPath(io.cwd, target)
  const shown = withoutLongBytes(data, `${name} has the file`)
  const text = extname(target) === '.json' && typeof data !== 'string' ? `${JSON.stringify(data, null, 2)}\n` : await present(data)
  try {
    io.err(`saved ${name}, ${inWords(await saveAnswer(data, text, { path: target, given: origin.given }))}\n`)
    return { shown, failure: null }
  } catch (error) {
    if (error instanceof Failure) return { shown, failure: error }
    throw error
  }
}

/** Writes all files of the answer into a folder. */
async function toFolder({ io }: Shell, body: unknown, { origin, target }: Target): Promise<Written> {
  const data = fieldOf(body, 'data')
  const { saved, failure } = await saveAll(data, target, origin)
  for (const { path, bytes } of saved) io.err(`saved ${shortPath(io.cwd, path)}, ${inWords(bytes)}\n`)
  const names = new Map(saved.map(({ field, path }) => [field, shortPath(io.cwd, path)]))
  return { shown: withoutLongBytes(withNames(data, names), '--out FILE saves the file'), failure }
}

async function saveAll(
  data: unknown,
  folder: string,
  origin: Origin,
): Promise<{ readonly saved: SavedFile[]; readonly failure: Failure | null }> {
  const saved: SavedFile[] = []
  for (const file of resultFiles(data, origin.given)) {
    try {
      saved.push(await saveFile(file, folder, origin))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { saved, failure: error }
    }
  }
  return { saved, failure: null }
}

/** The data with each file that was saved from it replaced by its name; links stay. */
function withNames(value: unknown, names: ReadonlyMap<string, string>, path: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each, at) => withNames(each, names, [...path, String(at)]))
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withNames(each, names, [...path, name])]))
  const name = names.get(path.join('.'))
  return name === undefined || (typeof value === 'string' && /^https?:/.test(value)) ? value : `(saved as ${name})`
}

/** Throws a UsageError for a file that could not be written, before a call is paid for. */
export function assertWritable(path: string, cwd: string): void {
  const target = resolve(cwd, path)
  try {
    const folder = isFolder(target) ? target : dirname(target)
    accessSync(existsSync(target) || !existsSync(folder) ? target : folder, constants.W_OK)
  } catch (error) {
    throw new UsageError(`--out: ${target}: ${fileFault(error)}`)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function inWords(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
