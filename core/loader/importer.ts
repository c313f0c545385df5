import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Clock } from '../runtime/clock.js'
import type { FoundPlugin } from './find.js'
import { gatewayModules, modulesFolder } from './gateway-modules.js'
import { versionedUrl } from './module-query.js'
import { isRecord } from '../sdk/json.js'

/** Folder of the build. */
const BUILD = fileURLToPath(new URL('../../', import.meta.url))
const MODULES = fileURLToPath(modulesFolder)
const TESTKIT_FILE = fileURLToPath(new URL('../sdk/testkit/index.js', import.meta.url))

interface ImporterOptions {
  readonly firstParty: string
  readonly cacheFolder: string
  readonly clock: Clock
  /** Longest evaluation of one module, in milliseconds: a top-level await may never settle. */
  readonly evaluationMs: number
  /** Contract files by plugin name, for `capstan/contracts/<plugin>` in TypeScript plugins. */
  readonly contracts: ReadonlyMap<string, string>
}

export type ImportModule = (file: string) => Promise<Readonly<Record<string, unknown>>>

/** Imports compiled files of the gateway itself. */
export const importBundled: ImportModule = async (file) =>
  namespace(await (gatewayModules[relative(BUILD, file)] ?? (() => import(pathToFileURL(file).href)))(), file)

/** The file or folder from which plugins import a module of the gateway; any other path as it is. */
function importedFrom(path: string): string {
  const own = relative(BUILD, path)
  return own === 'plugins' || own in gatewayModules ? join(MODULES, own) : path
}

/**
 * Imports the files of one third-party plugin: `.js` and `.mjs` natively by a URL with the plugin's version, `.ts`
 * through jiti. Both share one copy of the sdk and of the contracts.
 */
export async function thirdPartyImporter(plugin: FoundPlugin, version: string, options: ImporterOptions): Promise<ImportModule> {
  await import('./register-hook.js')
  const typescript = typescriptImporter(plugin, options)
  return async (file) => {
    const url = versionedUrl(file, version, importedFrom(options.firstParty), modulesFolder)
    const loading: Promise<unknown> = extname(file) === '.ts' ? typescript(file) : import(url)
    return namespace(await inTime(loading, options), file)
  }
}

function typescriptImporter(plugin: FoundPlugin, { cacheFolder, contracts }: ImporterOptions): (file: string) => Promise<unknown> {
  const alias: Record<string, string> = { 'capstan/sdk/testkit': TESTKIT_FILE, 'capstan/sdk': join(MODULES, 'core/sdk/index.js') }
  for (const [name, file] of contracts) alias[`capstan/contracts/${name}`] = importedFrom(file)
  const begin = async () => {
    const { createJiti } = await import('jiti')
    const jiti = createJiti(import.meta.url, { alias, fsCache: join(cacheFolder, 'jiti'), interopDefault: false })
    for (const file of Object.keys(jiti.cache)) if (file.startsWith(plugin.code + sep)) Reflect.deleteProperty(jiti.cache, file)
    return jiti
  }
  // Loaded on first use: most gateways have no plugin in TypeScript.
  let begun: ReturnType<typeof begin> | null = null
  return async (file) => await (await (begun ??= begin())).import(file)
}

async function inTime(loading: Promise<unknown>, { clock, evaluationMs }: ImporterOptions): Promise<unknown> {
  let stop = (): void => undefined
  // Keeps the process alive while a module awaits a promise that never settles.
  const alive = setInterval(() => undefined, evaluationMs)
  const late = new Promise<never>((_resolve, reject) => {
    stop = clock.after(evaluationMs, () =>
      reject(new Error(`its evaluation did not end within ${String(evaluationMs / 1000)} seconds (limits.plugin_load)`)),
    )
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    stop()
    clearInterval(alive)
  }
}

function namespace(module: unknown, file: string): Readonly<Record<string, unknown>> {
  if (!isRecord(module)) throw new TypeError(`${file} is not a module with named exports`)
  return module
}
