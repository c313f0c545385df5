import type { Command } from 'commander'
import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Config } from '../../../core/config/types.js'
import { ConfigError } from '../../../core/problems/errors.js'
import type { Store } from '../../../core/store/types.js'
import { columns } from './columns.js'
import type { Io } from './io.js'
import type { Parts } from './types.js'

/** The environment of every command. */
export interface Shell {
  readonly io: Io
  readonly parts: Parts
  readonly root: string
}

interface Globals {
  readonly json?: boolean
  readonly config?: string
}

/** True when the output is one JSON document. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<Globals>().json === true
}

/** The configuration file to use: `--config`, CAPSTAN_CONFIG, capstan.yml in the working folder, then beside package.json. Throws a ConfigError for a named one that is not a file. */
export function configFile(shell: Shell, command: Command): string | null {
  const { io, root } = shell
  for (const [by, named] of [
    ['--config', command.optsWithGlobals<Globals>().config],
    ['CAPSTAN_CONFIG', io.env['CAPSTAN_CONFIG']],
  ] as const)
    if (named !== undefined && (named !== '' || by === '--config')) return namedFile(io.cwd, named, by)
  return [join(io.cwd, 'capstan.yml'), join(root, 'capstan.yml')].find((file) => existsSync(file)) ?? null
}

function namedFile(cwd: string, named: string, by: string): string {
  const file = resolve(cwd, named)
  const found = statSync(file, { throwIfNoEntry: false })
  const fault = found === undefined ? 'there is no such file' : found.isDirectory() ? 'it is a folder, not a file' : null
  if (fault === null) return file
  throw new ConfigError([{ where: by, message: `${named === '' ? '""' : named}: ${fault}`, level: 'error' }])
}

/** Returns a function that reads the configuration repeatedly, with the present variables: the gateway clears its environment later. */
export async function configReader(shell: Shell, command: Command): Promise<() => Config> {
  const { loadConfig } = await import('../../../core/config/load.js')
  const env = { ...shell.io.env }
  return () => loadConfig({ file: configFile(shell, command), env, root: shell.root, cwd: shell.io.cwd })
}

/** Reads the configuration; warnings go to standard error. Throws ConfigError. */
export async function readConfig(shell: Shell, command: Command): Promise<Config> {
  const config = (await configReader(shell, command))()
  for (const { where, message } of config.warnings) shell.io.err(`warning: ${where}: ${message}\n`)
  return config
}

/** Runs work with the configured database open. */
export async function withStore<T>(shell: Shell, command: Command, work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = await readConfig(shell, command)
  const store = await shell.parts.store(config)
  try {
    return await work(store, config)
  } finally {
    await store.close()
  }
}

/** Prints the document as JSON on one line with `--json`, else the text. */
export async function print(shell: Shell, command: Command, document: unknown, text: string): Promise<void> {
  await shell.io.out(wantsJson(command) ? `${JSON.stringify(document)}\n` : text.endsWith('\n') ? text : `${text}\n`)
}

/** True when a program reads standard output, or the user requests machine-readable output. */
export function wantsDocument({ io }: Shell, command: Command): boolean {
  return wantsJson(command) || io.columns === undefined
}

/** A list, for people as a table as wide as their terminal. */
interface List {
  /** The same list for programs. */
  readonly document: unknown
  readonly headings: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Prints a list: a table on a terminal, the document as JSON on one line with `--json` and in a pipe. */
export async function printList(shell: Shell, command: Command, { document, headings, rows }: List): Promise<void> {
  const text = wantsDocument(shell, command) ? JSON.stringify(document) : columns(headings, rows, shell.io.columns)
  await shell.io.out(`${text}\n`)
}

/** The folder for new plugins and providers: the named one, the gateway's own plugins when called inside it, else the working folder. */
export function pluginFolder({ io, root }: Shell, named: string | undefined): string {
  if (named !== undefined) return resolve(io.cwd, named)
  return relative(root, io.cwd).startsWith('..') ? io.cwd : join(root, 'plugins')
}

/** Paths, one per line, relative if below the working folder. */
export function pathList({ io }: Shell, files: readonly string[]): string {
  return files.map((file) => `  ${shortPath(io.cwd, file)}`).join('\n')
}

/** A path relative to the working folder. */
export function shortPath(cwd: string, file: string): string {
  const short = relative(cwd, file)
  return short === '' ? '.' : short.startsWith('..') ? file : short
}
