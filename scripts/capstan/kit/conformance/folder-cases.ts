import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { LoadedProvider, PluginReport } from '../../../../core/loader/types.js'
import { filesOf, fixtureName } from './fixture.js'
import { namesIn, sourcesBelow } from './plugin-files.js'
import type { ConformanceCase } from './types.js'

/** Modules that bypass the gateway's guard and sandbox. */
const FORBIDDEN = [
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'dgram',
  'dns',
  'dns/promises',
  'child_process',
  'cluster',
  'undici',
  'axios',
  'got',
  'node-fetch',
]

/** Cases about the files of a plugin: README, unused fixtures, forbidden imports. */
export function folderCases(plugin: PluginReport, providers: readonly LoadedProvider[]): ConformanceCase[] {
  const make = (name: string, run: () => Promise<void>): ConformanceCase => ({ plugin: plugin.name, name, skip: null, run })
  return [
    make('README.md names each vendor', () => readmeNames(plugin, providers)),
    make('each fixture belongs to a provider', () => fixturesBelong(plugin, providers)),
    make('imports nothing that bypasses the gateway', () => importsAreClean(plugin)),
  ]
}

async function readmeNames({ folder }: PluginReport, providers: readonly LoadedProvider[]): Promise<void> {
  const readme = (await namesIn(folder)).find((name) => name === 'README.md')
  if (readme === undefined) throw new Error('README.md is missing')
  const text = (await readFile(join(folder, readme), 'utf8')).toLowerCase()
  const absent = providers.find(({ vendor }) => !text.includes(vendor.id.toLowerCase()) && !text.includes(vendor.title.toLowerCase()))
  if (absent !== undefined) throw new Error(`README.md does not name the vendor ${absent.vendor.id}`)
}

async function fixturesBelong({ folder }: PluginReport, providers: readonly LoadedProvider[]): Promise<void> {
  const wanted = new Set(providers.map((provider) => `${fixtureName(provider)}.json`))
  const stray = (await namesIn(join(folder, 'fixtures'))).find((name) => name.endsWith('.json') && !wanted.has(name))
  await filesAreUsed(folder)
  if (stray !== undefined) throw new Error(`fixtures/${stray} belongs to no provider; name it <vendor>.<port>.json`)
}

async function filesAreUsed(folder: string): Promise<void> {
  const used = new Set<string>()
  for (const name of await namesIn(join(folder, 'fixtures')))
    if (name.endsWith('.json'))
      for (const file of filesOf(JSON.parse(await readFile(join(folder, 'fixtures', name), 'utf8')))) used.add(file)
  const idle = (await namesIn(join(folder, 'fixtures', 'files'))).find((name) => !used.has(name))
  if (idle !== undefined) throw new Error(`fixtures/files/${idle} is not used by any fixture`)
}

async function importsAreClean({ folder }: PluginReport): Promise<void> {
  for (const file of await sourcesBelow(folder)) {
    const found = forbiddenIn(await readFile(file, 'utf8'))
    if (found !== null)
      throw new Error(
        `${relative(folder, file)} uses ${found}: vendors are reached through ctx.api, other addresses through ctx.web, programs through ctx.exec`,
      )
  }
}

/** What in a source bypasses the gateway, or null. It helps authors to avoid mistakes and is not a sandbox. */
export function forbiddenIn(source: string): string | null {
  const code = source.replace(/\/\*[^]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
  for (const [, specifier = ''] of code.matchAll(/(?:from|import|require|import\s*\(|require\s*\()\s*\(?['"`]([^'"`]+)['"`]/g)) {
    const name = specifier.replace(/^node:/, '')
    if (FORBIDDEN.includes(name)) return `the module ${specifier}`
  }
  const called = /(?<![.\w$])(?:globalThis\s*\.\s*)?(fetch|WebSocket|XMLHttpRequest|EventSource)\s*\(/.exec(code)
  return called === null ? null : `the global ${called[1] ?? ''}`
}
