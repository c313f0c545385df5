import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRecord } from '../../../core/sdk/json.js'
import { withoutLongBytes } from '../answer-files.js'
import { resultFiles, saveAnswer, saveFile, type SavedFile } from './answer-file.js'
import type { Origin } from './answer-name.js'
import { Failure } from './failure.js'
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
  const { cwd, columns } = shell.io
  const data = fieldOf(body, 'data')
  const json = wantsJson(command)
  if (columns === undefined && (json || out === undefined)) await shell.io.out(`${JSON.stringify(body)}\n`)
  if (columns === undefined && out === undefined) return
  const target = out === undefined ? cwd : resolve(cwd, out)
  if (out !== undefined && !isFolder(target)) {
    if (json && columns !== undefined) await shell.io.out(`${JSON.stringify(withoutLongBytes(body, `${out} has the file`))}\n`)
    const bytes = await saveAnswer(data, await present(data), { path: target, given: origin.given })
    shell.io.err(`${out}: ${inWords(bytes)}\n`)
    return
  }
  const { saved, failure } = await saveAll(data, target, origin)
  for (const { path, bytes } of saved) shell.io.err(`saved ${shortPath(cwd, path)}, ${inWords(bytes)}\n`)
  if (columns !== undefined && (json || out === undefined)) {
    const names = new Map(saved.map(({ field, path }) => [field, shortPath(cwd, path)]))
    const shown = withoutLongBytes(withNames(data, names), '--out FILE saves the file')
    await shell.io.out(
      json ? `${JSON.stringify(isRecord(body) ? { ...body, data: shown } : body)}\n` : `${await present(shown, columns)}\n`,
    )
  }
  if (failure !== null) throw failure
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function inWords(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
