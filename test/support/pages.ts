import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

/** A file of the project as text, by its path below the root. */
export function source(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8')
}

/** The sentences of a page: lines are joined, since one may end within a sentence. */
export function prose(path: string): string {
  return source(path).replace(/\s*\n\s*/g, ' ')
}

/** Pages for people, by their paths below the root; records of decisions only where they are wanted. */
export function pages({ decisions = false } = {}): string[] {
  const below = (folder: string): string[] => readdirSync(join(packageRoot(), folder)).map((name) => `${folder}/${name}`)
  const ofPlugins = below('plugins')
    .map((folder) => `${folder}/README.md`)
    .filter(exists)
  const ofDeploy = below('deploy').filter((path) => path.endsWith('.md'))
  const ofDocs = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort()
  return [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...ofDocs,
    ...['clients/python/README.md', 'clients/typescript/README.md'],
    ...ofPlugins,
    ...ofDeploy,
    ...(decisions ? ['core/decisions/README.md', ...decisionRecords()] : []),
  ]
}

/** Pages about writing plugins: the tutorial, then the reference. */
export const PLUGIN_PAGES = [
  'docs/plugins.md',
  'docs/plugins/files-and-programs.md',
  'docs/plugins/vendors.md',
  'docs/plugins/handlers.md',
  'docs/plugins/shared-ports.md',
  'docs/plugins/network.md',
] as const

/** Records of decisions of the core and of plugins, by their paths below the root. */
export function decisionRecords(): string[] {
  const folders = ['core', ...readdirSync(join(packageRoot(), 'plugins')).map((name) => `plugins/${name}`)]
  return folders
    .map((folder) => `${folder}/decisions`)
    .filter((folder) => existsSync(join(packageRoot(), folder)))
    .flatMap((folder) => readdirSync(join(packageRoot(), folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path !== 'core/decisions/README.md')
}

function exists(path: string): boolean {
  const [folder = '', name = ''] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  return readdirSync(join(packageRoot(), folder)).includes(name)
}

/** The number that a constant of a source is: a product of whole numbers or a fraction. Throws when there is no such constant. */
export function constant(path: string, name: string): number {
  const found =
    new RegExp(`\\b${name}(?::[^=\\n]+)? = ([\\d_.]+(?: \\* [\\d_.]+)*)`).exec(source(path)) ?? // a constant
    new RegExp(`\\b${name}: ([\\d_.]+(?: \\* [\\d_.]+)*)`).exec(source(path)) // a property
  if (found?.[1] === undefined) throw new Error(`${path} has no number ${name}`)
  return found[1]
    .split(' * ')
    .map((factor) => Number(factor.replaceAll('_', '')))
    .reduce((product, factor) => product * factor, 1)
}

/** Rows of the tables of a page whose head has this column, as cells by column; the names of columns in lower case. */
export function rowsOf(page: string, column: string): Readonly<Record<string, string>>[] {
  const rows: Record<string, string>[] = []
  let head: string[] | null = null
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) head = null
    else if (head === null) head = cellsOf(line).map((cell) => cell.toLowerCase())
    else if (!line.startsWith('|---') && head.includes(column)) {
      const cells = cellsOf(line)
      rows.push(Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
    }
  }
  return rows
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
