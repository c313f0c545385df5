import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../runtime/root.js'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { Fault, type ShownPlace } from '../sdk/index.js'

/** True when the path is the folder or below it. Both absolute. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../')
}

/** Folders with the code of a module and its imports. Never the whole package root, which may contain data. */
export function codeFolders(module: URL): string[] {
  const root = packageRoot()
  const build = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
  const file = fileURLToPath(module)
  const own = ['node_modules', 'package.json', 'config'].map((name) => join(root, name)).filter((path) => existsSync(path))
  const folders = [build === root ? join(root, 'core') : build, ...own]
  if (!folders.some((folder) => isInside(file, folder)))
    folders.push(isInside(file, root) ? join(root, relative(root, file).split(sep)[0] ?? '') : pluginFolder(file))
  return [...new Set(folders.flatMap((folder) => [folder, realpathSync(folder)]))]
}

function pluginFolder(file: string): string {
  const own = dirname(file)
  const marked = [own, dirname(own), dirname(dirname(own))].find(
    (folder) => existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'index.js')),
  )
  return marked ?? own
}

const TOO_WIDE = ['/', '/etc', '/home', '/proc', '/root', '/run', '/sys', '/dev', '/tmp', '/var', '/job']

/** Folders that may be visible read-only inside. Throws Fault `broken` for one that is protected, missing, or so wide that it would expose the machine. */
export function shownFolders(host: { readonly protectedPaths: readonly string[] }, folders: readonly string[]): string[] {
  for (const folder of folders) {
    const why = refusal(host, folder)
    if (why !== null) throw new Fault('broken', 'the sandbox could not start the program', { internal: `the folder ${folder} ${why}` })
  }
  return [...new Set(folders)]
}

/** The reason why a folder must not be visible; null when it may be. */
export function refusal(host: { readonly protectedPaths: readonly string[] }, folder: string): string | null {
  if (!isAbsolute(folder) || !existsSync(folder)) return 'does not exist'
  if (host.protectedPaths.some((path) => isInside(folder, path))) return 'is protected and is not shown in a sandbox'
  return TOO_WIDE.includes(folder) ? 'is too wide to be shown in a sandbox' : null
}

/** The host files that are visible in a sandbox. All paths absolute. */
interface View {
  /** Already visible, each at its own path. */
  readonly system: readonly string[]
  readonly readOnly: readonly string[]
  readonly writable: readonly string[]
  /** Hidden where a wider folder is visible; paths below them are visible only by name. */
  readonly hidden: readonly string[]
}

interface Bind {
  readonly at: string
  readonly real: string
  /** Null for one that is already mounted. */
  readonly flag: '--ro-bind' | '--bind' | null
}

interface Cover {
  readonly at: string
  /** The bind through which it would be visible. */
  readonly shownBy: Bind
}

/** Arguments of bwrap that bind folders and files and cover the hidden paths below them with empty ones. */
export function viewArgs({ system, readOnly, writable, hidden }: View): string[] {
  const binds = [...system.map(bind(null)), ...readOnly.map(bind('--ro-bind')), ...writable.map(bind('--bind'))]
  const placed = place(binds, covers(binds, hidden))
  const folders: string[] = []
  const args = placed.flatMap((step) => {
    if ('flag' in step) return step.flag === null ? [] : [step.flag, step.at, step.at]
    if (!isFolder(step)) return ['--ro-bind', '/dev/null', step.at]
    folders.push(step.at)
    const isEmpty = !placed.some(({ at }) => at !== step.at && isInside(at, step.at))
    return ['--perms', isEmpty ? '0000' : '0755', '--size', '4096', '--tmpfs', step.at]
  })
  // Last, because the binds inside need mount points.
  return [...args, ...folders.flatMap((at) => ['--remount-ro', at])]
}

/** The same for tools other than bwrap: host paths with their places inside, and the covers of hidden ones. */
export function placesOf(shown: readonly { readonly at: string; readonly from: string }[], hidden: readonly string[]): ShownPlace[] {
  const binds = shown.map(({ at, from }) => ({ at, real: realOf(from) ?? from, flag: '--ro-bind' }) as const)
  return place(binds, covers(binds, hidden)).map((step): ShownPlace => {
    if ('flag' in step) return { at: step.at, shows: 'host', from: step.real }
    return { at: step.at, shows: isFolder(step) ? 'empty-folder' : 'empty-file', from: realPathOf(step) }
  })
}

function bind(flag: Bind['flag']): (path: string) => Bind {
  return (at) => ({ at, real: realOf(at) ?? at, flag })
}

/** Where each hidden path would be visible. A path that does not exist cannot be covered. */
function covers(binds: readonly Bind[], hidden: readonly string[]): Cover[] {
  const paths = new Set(hidden.flatMap((path) => realOf(path) ?? []))
  return binds.flatMap((shownBy) =>
    [...paths]
      .filter((path) => path !== shownBy.real && isInside(path, shownBy.real))
      .map((path) => ({ at: join(shownBy.at, relative(shownBy.real, path)), shownBy })),
  )
}

/** Outer paths before inner ones; a cover is omitted where its folder is not visible, or is visible by name. */
function place(binds: readonly Bind[], wanted: readonly Cover[]): (Bind | Cover)[] {
  const placed: (Bind | Cover)[] = []
  for (const step of [...binds, ...wanted].sort((a, b) => depth(a.at) - depth(b.at))) {
    if ('flag' in step) placed.push(step)
    else if (!placed.some(({ at }) => at === step.at) && innermost(placed, step.at) === step.shownBy) placed.push(step)
  }
  return placed
}

function innermost(placed: readonly (Bind | Cover)[], path: string): Bind | Cover | undefined {
  return placed.findLast(({ at }) => isInside(path, at))
}

function depth(path: string): number {
  return path.split('/').length
}

function isFolder(cover: Cover): boolean {
  return statSync(realPathOf(cover)).isDirectory()
}

function realPathOf({ at, shownBy }: Cover): string {
  return join(shownBy.real, relative(shownBy.at, at))
}

function realOf(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null
}
