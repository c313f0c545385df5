import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { isRecord } from '../sdk/json.js'
import { type Dirent, existsSync } from 'node:fs'
import { messageOf } from './plugin-error.js'

/** Conditions of `exports` that apply to imports by the gateway. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default'])

/** The name and main file of a package. */
interface PackageEntry {
  readonly name: string | null
  /** The file that `exports` or `main` names, absolute. */
  readonly file: string
}

/** The main file of the package in a folder; null without one. Throws for an unreadable package.json or a file outside the folder. */
async function packageEntry(folder: string): Promise<PackageEntry | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(absent)
  if (text === null) return null
  const content: unknown = JSON.parse(text)
  if (!isRecord(content)) throw new Error(`${join(folder, 'package.json')} is not an object`)
  const { name, main } = content
  const target = exported(content.exports) ?? (typeof main === 'string' ? main : null)
  if (target === null) return null
  const file = join(folder, target)
  if (relative(folder, file).startsWith('..'))
    throw new Error(`${join(folder, 'package.json')} names ${target}, which is not in the package`)
  return { name: typeof name === 'string' ? name : null, file }
}

/** The target of `exports` for the package itself (Node.js documentation, "Packages"), or null. */
function exported(exports: unknown): string | null {
  if (typeof exports === 'string') return exports
  if (!isRecord(exports)) return null
  if ('.' in exports) return exported(exports['.'])
  for (const [condition, target] of Object.entries(exports)) {
    const found = CONDITIONS.has(condition) ? exported(target) : null
    if (found !== null) return found
  }
  return null
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
  throw error
}

/** A plugin on disk; none of its code has run yet. */
export interface FoundPlugin {
  /** Name of its folder. */
  readonly name: string
  readonly party: 'first' | 'third'
  /** Folder of its code. */
  readonly code: string
  /** The folder that a lock covers: its code, or the whole package. */
  readonly root: string
  /** Folder of its data files (fixtures, README): the source tree for bundled plugins. */
  readonly folder: string
  readonly index: string
  readonly contract: string | null
  readonly handler: string | null
  readonly providers: readonly string[]
}

/** A configured folder without a plugin, and why. */
interface Absent {
  readonly folder: string
  readonly reason: string
}

/** Compiled code takes precedence over source. */
const EXTENSIONS = ['.mjs', '.js', '.ts']

/**
 * The bundled plugins in a folder of compiled code. Folders that begin with `_` contain shared files. Where the source
 * tree is present, output without a source is ignored, since a build folder is never cleaned.
 */
export async function findFirstParty(code: string, source: string | null): Promise<FoundPlugin[]> {
  const sources = source === null ? null : await entries(source)
  const found: FoundPlugin[] = []
  for (const entry of (await entries(code)) ?? []) {
    if (!entry.isDirectory() || entry.name.startsWith('_')) continue
    const folder = source !== null && sources?.some(({ name }) => name === entry.name) === true ? join(source, entry.name) : null
    if (sources !== null && folder === null) continue
    const plugin = await inspect(join(code, entry.name), 'first', { folder: folder ?? join(code, entry.name) })
    if (plugin !== null) found.push(folder === null ? plugin : await withoutStale(plugin, folder))
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The plugins of an operator's folder, which is a plugin itself or contains several. */
export async function findThirdParty(folder: string): Promise<FoundPlugin[] | Absent> {
  const listed = await entries(folder)
  if (listed === null) return { folder, reason: notThere(folder) }
  const itself = await inspectPackage(folder).catch((error: unknown) => ({ folder, reason: messageOf(error) }))
  if (itself !== null) return 'reason' in itself ? itself : [itself]
  const found: FoundPlugin[] = []
  for (const entry of listed) {
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue
    if (entry.name.startsWith('_') || entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const plugin = await inspectThird(join(folder, entry.name))
    if (plugin !== null) found.push(plugin)
  }
  if (found.length === 0) return { folder, reason: `no plugin in ${folder}: a plugin is a folder with an index.ts, index.js or index.mjs` }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** True when a folder is itself a third-party plugin, not a folder of plugins. */
export async function isPlugin(folder: string): Promise<boolean> {
  return (await entries(folder)) !== null && (await inspectPackage(folder)) !== null
}

function notThere(folder: string): string {
  if (existsSync(folder)) return `the plugin folder ${folder} is a file, not a folder`
  const at = folder.lastIndexOf('/node_modules/')
  if (at === -1) return `the plugin folder ${folder} does not exist`
  const name = folder.slice(at + '/node_modules/'.length)
  return `plugins (CAPSTAN_PLUGINS) names ${name}, but neither a folder nor a package of that name exists in ${folder.slice(0, at)}/node_modules: npm install ${name} there, or write the path of a folder`
}

/** Reads a folder as a plugin: by the main file of its package.json, else by its index. */
async function inspectPackage(folder: string): Promise<FoundPlugin | null> {
  const root = await realpath(folder)
  const entry = await packageEntry(root)
  if (entry === null) return await inspectThird(folder)
  const names = (await entries(dirname(entry.file))) ?? []
  if (!names.some(({ name }) => name === basename(entry.file))) return await inspectThird(folder)
  const plugin = await inspect(dirname(entry.file), 'third', { folder: root, index: entry.file })
  return plugin === null ? null : { ...plugin, name: entry.name ?? basename(folder), root }
}

/** Resolves links once, so that every file of the plugin has one address. */
async function inspectThird(folder: string): Promise<FoundPlugin | null> {
  const code = await realpath(folder)
  const plugin = await inspect(code, 'third', { folder: code })
  return plugin === null ? null : { ...plugin, name: basename(folder) }
}

async function inspect(
  code: string,
  party: 'first' | 'third',
  { folder, index = null }: { readonly folder: string; readonly index?: string | null },
): Promise<FoundPlugin | null> {
  const names = (await entries(code))?.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])) ?? []
  const extensions = party === 'first' ? ['.js'] : EXTENSIONS
  const pick = (stem: string): string | null => {
    const extension = extensions.find((each) => names.includes(stem + each))
    return extension === undefined ? null : join(code, stem + extension)
  }
  const main = index ?? pick('index')
  if (main === null) return null
  const providers = await modulesBelow(join(code, 'providers'), extensions)
  return {
    name: basename(code),
    party,
    code,
    root: code,
    folder,
    index: main,
    contract: pick('contract'),
    handler: pick('handler'),
    providers,
  }
}

/** Every module in a folder tree, one for each stem, sorted; without declarations and tests. */
async function modulesBelow(folder: string, extensions: readonly string[]): Promise<string[]> {
  const byStem = new Map<string, string>()
  const files: string[] = []
  for (const entry of (await entries(folder)) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...(await modulesBelow(path, extensions)))
    const extension = extname(entry.name)
    const stem = path.slice(0, -extension.length)
    if (entry.isDirectory() || !extensions.includes(extension) || /\.(?:d|spec)$/.test(stem)) continue
    const other = byStem.get(stem)
    if (other === undefined || extensions.indexOf(extension) < extensions.indexOf(extname(other))) byStem.set(stem, path)
  }
  return [...files, ...byStem.values()].sort()
}

async function withoutStale(plugin: FoundPlugin, source: string): Promise<FoundPlugin> {
  const present = new Set(await sourcesBelow(source))
  if (!present.has('index')) return plugin
  const lives = (file: string | null): boolean => file !== null && present.has(relative(plugin.code, file).slice(0, -'.js'.length))
  const { contract, handler, providers } = plugin
  return {
    ...plugin,
    contract: lives(contract) ? contract : null,
    handler: lives(handler) ? handler : null,
    providers: providers.filter(lives),
  }
}

async function sourcesBelow(source: string, prefix = ''): Promise<string[]> {
  const stems: string[] = []
  for (const entry of (await entries(join(source, prefix))) ?? []) {
    if (entry.isDirectory()) stems.push(...(await sourcesBelow(source, `${prefix}${entry.name}/`)))
    else if (entry.name.endsWith('.ts')) stems.push(`${prefix}${entry.name.slice(0, -'.ts'.length)}`)
  }
  return stems
}

/** The entries of a folder, or null when there is no such folder. */
async function entries(folder: string): Promise<Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
