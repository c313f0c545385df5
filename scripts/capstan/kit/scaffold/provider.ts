import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { hint } from '../../../../core/sdk/nearest.js'
import { readFixture } from '../conformance/fixture.js'
import type { LoadedPort, Registry } from '../../../../core/loader/types.js'
import { isRecord } from '../../../../core/sdk/json.js'
import { packageRoot } from '../../../../core/runtime/root.js'
import { requireFolder, rewrite, textOf, writeNew } from './files.js'
import { withVendor } from './readme.js'
import { camel, keyVariable, requireWords, title } from './names.js'
import { isBundled } from './plugin.js'
import { sampleOf } from './sample.js'
import { APART, BUNDLED, indexFile, providerFile, tsconfigFile, vendorFile } from './templates.js'

interface NewProviderOptions {
  readonly registry: Registry
  /** The gateway's `plugins` folder, or one outside it: a plugin, an empty or missing folder to make one of, or a parent folder for one. */
  readonly folder: string
  /** Whether the folder is in the gateway's own tree; detected by default. */
  readonly bundled?: boolean
}

export interface NewProvider {
  /** Folder of the plugin. */
  readonly home: string
  /** Created files. */
  readonly files: readonly string[]
  /** Existing files with an added line. */
  readonly changed: readonly string[]
}

/**
 * Writes a provider of a port for a vendor: adapter, fixture and, for a new vendor, its file; adds it to the README. As written it
 * passes the conformance suite. Throws when the port is unknown or the vendor already serves it.
 */
export async function newProvider(portId: string, vendorId: string, options: NewProviderOptions): Promise<NewProvider> {
  const { registry, folder, bundled = isBundled(folder) } = options
  const port = registry.ports.get(portId)
  const ids = [...registry.ports.keys()].sort()
  if (port === undefined && ids.includes(vendorId))
    throw new Error(`${vendorId} is a port, and the port must be the first argument: capstan provider new ${vendorId} ${portId}`)
  if (port === undefined) throw new Error(`no port is called ${portId}${hint(portId, ids) || '; list all with capstan providers list'}`)
  requireWords('the vendor id', vendorId)
  requireFolder(folder)
  const below = ids.filter((id) => id.startsWith(`${portId}.`))
  if (port.all.length === 0 && below.length > 0)
    throw new Error(`${portId} uses other ports; write an adapter for one of ${below.join(', ')}`)
  if (port.all.some(({ vendor }) => vendor.id === vendorId)) throw new Error(`${vendorId} already serves ${portId}`)
  const known = registry.vendors.find(({ id }) => id === vendorId)
  if (known !== undefined && !bundled)
    throw new Error(`vendor ${vendorId} is bundled with the gateway; choose another id, for example my-${vendorId}`)
  if (known !== undefined && known.baseUrl === undefined && known.needsUrl !== true)
    throw new Error(`vendor ${vendorId} is local and has no address; write its provider by hand`)

  const owner = port.plugin
  const home = bundled ? join(folder, owner) : await homeIn(folder, `${vendorId}-${portId.replace(/[._]/g, '-')}`)
  const { sdk, vendors } = bundled ? BUNDLED : APART
  const word = portId.split('.').at(-1) ?? portId
  const example = await exampleOf(port, registry)
  const fields = Object.keys(port.input.schema.properties)
  // A plugin in JavaScript, such as an npm package, is not compiled.
  const extension = bundled || (await textOf(join(home, 'index.js'))) === null ? 'ts' : 'js'
  const file =
    (await textOf(join(home, 'providers', `${vendorId}.${extension}`))) === null ? vendorId : `${vendorId}-${word.replaceAll('_', '-')}`
  const adapter = providerFile({
    sdk: sdk(1),
    port: {
      name: await exportOf(port, registry),
      from: bundled ? '../contract.js' : contractOf(port, { registry, home }),
    },
    vendor: { name: known === undefined ? camel(vendorId) : await vendorExport(folder, vendorId), from: `${vendors}/${vendorId}.js` },
    name: `${camel(vendorId)}${title(camel(word))}`,
    path: `/${word}`,
    inputs: fields,
    outputs: listedFields(port),
  })
  const signature =
    known?.auth?.((name) => `secret-${name}`) ?? (known === undefined ? { headers: { authorization: 'Bearer secret-api_key' } } : {})
  const request = {
    method: 'POST',
    path: `/${word}`,
    ...(signature.query === undefined ? {} : { query: signature.query }),
    ...(signature.headers === undefined
      ? {}
      : { headers: Object.fromEntries(Object.entries(signature.headers).map(([name, value]) => [name.toLowerCase(), value])) }),
    json: { ...Object.fromEntries(Object.entries(example.filled).filter(([name]) => fields.includes(name))), ...signature.json },
  }
  const fixture = {
    cases: [{ name: 'a result', input: example.input, exchanges: [{ request, reply: { json: example.output } }], output: example.output }],
  }
  const files = new Map([
    [join(home, 'providers', `${file}.${extension}`), adapter],
    [join(home, 'fixtures', `${vendorId}.${portId}.json`), `${JSON.stringify(fixture, null, 2)}\n`],
  ])
  if (known === undefined)
    files.set(
      bundled ? join(folder, '_vendors', `${vendorId}.ts`) : join(home, 'vendors', `${vendorId}.${extension}`),
      vendorFile(vendorId, sdk(0)),
    )
  if (!bundled && !(await holdsPlugin(home))) {
    files.set(join(home, 'index.ts'), indexFile(`${vendorId}-${portId.replace(/[._]/g, '-')}`, sdk(0)))
    files.set(join(home, 'tsconfig.json'), tsconfigFile(packageRoot()))
  }
  const readme = join(home, 'README.md')
  const needs = known === undefined ? keyVariable(vendorId) : null
  const text = await textOf(readme)
  const named = { port: portId, others: port.all.map(({ vendor }) => vendor.id), vendor: vendorId, needs }
  if (text === null) files.set(readme, withVendor(`# ${title(bundled ? owner : vendorId)}\n`, named))
  const written = await writeNew(files)
  if (text !== null) await rewrite(readme, withVendor(text, named))
  return { home, files: written, changed: text === null ? [] : [readme] }
}

/** The import path of the port for a provider in a plugin's folder. */
function contractOf({ plugin }: LoadedPort, { registry, home }: { registry: Registry; home: string }): string {
  const isOwn = registry.plugins.some(({ name, folder }) => name === plugin && relative(folder, home) === '')
  return isOwn ? '../contract.js' : `capstan/contracts/${plugin}`
}

/** The folder of a plugin outside the gateway's tree: a folder with other content only receives a new subfolder. */
async function homeIn(folder: string, name: string): Promise<string> {
  const isFree = (await holdsPlugin(folder)) || (await readdirOrNone(folder)).length === 0
  return isFree ? folder : join(folder, name)
}

interface Worked {
  readonly input: Readonly<Record<string, unknown>>
  /** The input with defaults. */
  readonly filled: Readonly<Record<string, unknown>>
  readonly output: unknown
}

/** An input and a result of a port: those of another vendor's fixture, else generated from the schemas. */
async function exampleOf(port: LoadedPort, registry: Registry): Promise<Worked> {
  const recorded = await recordedExample(port, registry)
  const input = recorded?.input ?? registry.capabilities.get(port.port.id)?.capability.examples[0]?.params ?? sampleOf(port.input.schema)
  const output: unknown = structuredClone(recorded?.output ?? sampleOf(port.output.schema))
  const filled: unknown = structuredClone(input)
  if (!isRecord(input) || !port.input.check(filled))
    throw new Error(`no sample input of ${port.port.id} could be generated: ${port.input.explain()}; write its first fixture by hand`)
  // Fills in the defaults, as for a result.
  if (!port.output.check(output))
    throw new Error(`no sample result of ${port.port.id} could be generated: ${port.output.explain()}; write its first fixture by hand`)
  return { input, filled, output }
}

async function recordedExample(
  { port, plugin }: LoadedPort,
  registry: Registry,
): Promise<{ input: Record<string, unknown>; output: unknown } | null> {
  const folder = registry.plugins.find(({ name }) => name === plugin)?.folder
  if (folder === undefined || !(await holdsPlugin(folder))) return null
  for (const name of await readdirOrNone(join(folder, 'fixtures'))) {
    if (!name.endsWith(`.${port.id}.json`)) continue
    const found = (await readFixture(join(folder, 'fixtures', name))).cases.find(
      ({ output }) => output !== undefined && !JSON.stringify(output).includes('"$'),
    )
    if (found !== undefined) return { input: found.input, output: found.output }
  }
  return null
}

async function readdirOrNone(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function holdsPlugin(folder: string): Promise<boolean> {
  for (const name of ['index.ts', 'index.js', 'index.mjs']) if ((await textOf(join(folder, name))) !== null) return true
  return false
}

/** The name under which a contract exports a port. */
async function exportOf({ port, plugin }: LoadedPort, registry: Registry): Promise<string> {
  const folder = registry.plugins.find(({ name }) => name === plugin)?.folder ?? ''
  for (const file of ['contract.ts', 'contract.js', 'contract.mjs']) {
    for (const part of ((await textOf(join(folder, file))) ?? '').split(/^export const /m).slice(1)) {
      if (new RegExp(`\\bid: ['"\`]${port.id.replaceAll('.', '\\.')}['"\`]`).test(part)) return /^\w+/.exec(part)?.[0] ?? ''
    }
  }
  throw new Error(`the contract of plugin ${plugin} (${folder}) does not show an export with the id ${port.id}`)
}

async function vendorExport(folder: string, vendor: string): Promise<string> {
  const file = join(folder, '_vendors', `${vendor}.ts`)
  const name = /export const (\w+) = vendor\(/.exec((await textOf(file)) ?? '')?.[1]
  if (name === undefined) throw new Error(`${file} does not export the vendor ${vendor}`)
  return name
}

/** The fields of an output whose fields are all listed and required, else null. */
function listedFields({ output }: LoadedPort): string[] | null {
  const schema: unknown = output.schema
  if (!isRecord(schema) || !isRecord(schema.properties)) return null
  const names = Object.keys(schema.properties)
  const required: unknown = schema.required
  return names.length > 0 && names.every((name) => /^[a-z_$][\w$]*$/i.test(name) && Array.isArray(required) && required.includes(name))
    ? names
    : null
}
