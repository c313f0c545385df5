import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileFault } from '../runtime/file-faults.js'
import { SchemaCompiler } from '../sdk/index.js'
import { readSettings } from './core-settings.js'
import { declaredSettings } from './declared.js'
import { emptyRoot, readDocument, type ReadDocument } from './document.js'
import { layOut } from './layout.js'
import type { Folders } from './paths.js'
import type { Config } from './types.js'
import { ConfigError, type ConfigProblem } from '../problems/errors.js'
import { filePrices } from './prices.js'
import { earlyVariableWarnings, openProblems, type Reading } from './problems.js'
import { programPaths } from './programs.js'
import { report } from './report.js'
import { environmentOf, variableFor, waterfallVariable, type Variables } from './variables.js'
import { addressProblems, entryOf, vendorConfig } from './vendor.js'
import { defaultOrders, fileOrders, variableOrders } from './waterfall.js'

/** The sources of a configuration. */
interface ConfigRequest {
  /** The file, or null when there is none. */
  readonly file: string | null
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder of the package, with config/waterfall.json; the base of default paths. */
  readonly root: string
  /** Base of relative paths in variables, default the working folder. */
  readonly cwd?: string
}

/** Reads and checks the configuration, each source once. Throws ConfigError with all problems at once. */
export function loadConfig({ file, env, root, cwd = process.cwd() }: ConfigRequest): Config {
  const environment = environmentOf(env)
  const folders: Folders = { file: file === null ? root : dirname(resolve(cwd, file)), variable: cwd, default: root }
  const document = readFile(file, cwd, environment)
  const { core: written, open: groups, problems: names } = layOut(document.root)
  const core = readSettings(written, environment, folders)
  const open = { vendors: groups.vendors, plugins: groups.plugins, env: environment, compiler: new SchemaCompiler() }
  const faults: ConfigProblem[] = []
  const reading: Reading = {
    core,
    groups,
    open,
    fileOrders: fileOrders(groups.waterfall, faults),
    variableOrders: variableOrders(environment, faults),
    defaultOrders: defaultOrders(root),
    prices: filePrices(groups.prices, faults),
    program: programPaths(groups.programs, environment, folders, faults),
  }
  const problems = [...document.problems, ...names, ...core.problems, ...faults, ...addressProblems(open)]
  if (problems.length > 0 || core.settings === null) throw new ConfigError(problems)
  const { settings } = core
  return {
    settings,
    file: file === null ? null : resolve(cwd, file),
    warnings: [...earlyVariableWarnings(environment), ...core.warnings],
    waterfall: (port) => order(reading, port),
    defaultOrder: (port) => reading.defaultOrders.get(port) ?? [],
    prices: (capability) => {
      const found = reading.prices.get(capability)
      return found === undefined ? null : Object.fromEntries([...found.rows].map(([row, { credits }]) => [row, credits]))
    },
    vendor: (vendor) => vendorConfig(vendor, open),
    plugin: ({ name: owner, settings: schema }) =>
      schema === undefined
        ? {}
        : declaredSettings({
            owner,
            schema,
            env: environment,
            compiler: open.compiler,
            written: (name) => entryOf(open.plugins, owner, name),
          }).values,
    program: (name) => reading.program(name)?.path ?? null,
    place: (name) => placeOf(reading, name),
    variable: variableFor,
    problems: (known) => openProblems(reading, known),
    report: (known) => report(reading, known),
  }
}

function readFile(file: string | null, cwd: string, env: Variables): ReadDocument {
  if (file === null) return { root: emptyRoot(''), problems: [] }
  const path = resolve(cwd, file)
  const near = relative(cwd, path)
  const label = near.startsWith('..') ? path : near
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError([{ where: label, message: `cannot be read: ${fileFault(error)}`, level: 'error' }])
  }
  return readDocument(text, label, env)
}

function placeOf({ core, prices, fileOrders, variableOrders }: Reading, name: string): string {
  const [, group, item = ''] = /^(prices|waterfall)\.(.+)$/.exec(name) ?? []
  if (group === 'prices') return prices.get(item)?.where ?? name
  if (group === 'waterfall') return (variableOrders.get(waterfallVariable(item)) ?? fileOrders.get(item))?.where ?? name
  return core.places.get(name) ?? name
}

function order(reading: Reading, port: string): ReturnType<Config['waterfall']> {
  const byVariable = reading.variableOrders.get(waterfallVariable(port))
  if (byVariable !== undefined) return { order: byVariable.order, source: 'variable' }
  const byFile = reading.fileOrders.get(port)
  if (byFile !== undefined) return { order: byFile.order, source: 'file' }
  const standard = reading.defaultOrders.get(port)
  return standard === undefined ? null : { order: standard, source: 'default' }
}
