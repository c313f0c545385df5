import { join } from 'node:path'
import { idFault, namesFault } from '../loader/names.js'
import { packageRoot } from '../root.js'
import { writeNew } from './files.js'
import { camel, keyVariable, requireWords, title } from './names.js'
import { APART, BUNDLED, contractFile, indexFile, providerFile, tsconfigFile, vendorFile } from './templates.js'

/**
 * Writes a plugin with one capability, one provider and its fixture below a folder; answers the files. In the gateway's own
 * `plugins` folder it imports the sdk by path, elsewhere as `capstan/sdk`. Throws when the name is taken or not allowed.
 */
export async function newPlugin(
  name: string,
  folder: string,
  { bundled = isBundled(folder) }: { bundled?: boolean } = {},
): Promise<string[]> {
  requireWords('the plugin name', name)
  const fault = idFault(name.replaceAll('-', '_')) ?? namesFault({ path: `/v1/${name}` })
  if (fault !== null) throw new Error(fault)
  const at = (...path: string[]): string => join(folder, name, ...path)
  const vendor = `${name}-example`
  const { sdk, vendors } = bundled ? BUNDLED : APART
  const id = name.replaceAll('-', '_')
  const provider = providerFile({
    sdk: sdk(1),
    port: { name: camel(name), from: '../contract.js' },
    vendor: { name: camel(vendor), from: `${vendors}/${vendor}.js` },
    name: `${camel(vendor)}Provider`,
    path: `/${name}`,
    inputs: ['text'],
    outputs: ['text'],
  })
  const request = { method: 'POST', path: `/${name}`, headers: { authorization: 'Bearer secret-api_key' }, json: { text: 'Hello.' } }
  const fixture = {
    cases: [
      {
        name: 'a short text',
        input: { text: 'Hello.' },
        exchanges: [{ request, reply: { json: { text: 'Hello!', unknown: 1 } } }],
        output: { text: 'Hello!' },
      },
    ],
  }
  return await writeNew(
    new Map([
      [at('index.ts'), indexFile(name, sdk(0))],
      [at('contract.ts'), contractFile(name, sdk(0))],
      [
        bundled ? join(folder, '_vendors', `${vendor}.ts`) : at('vendors', `${vendor}.ts`),
        vendorFile(vendor, bundled ? sdk(0) : 'capstan/sdk'),
      ],
      [at('providers', `${vendor}.ts`), provider],
      [at('fixtures', `${vendor}.${id}.json`), `${JSON.stringify(fixture, null, 2)}\n`],
      [at('README.md'), readme(name, vendor)],
      ...(bundled ? [] : ([[at('tsconfig.json'), tsconfigFile(packageRoot())]] as const)),
    ]),
  )
}

function readme(name: string, vendor: string): string {
  return `# ${title(name)}\n\nWhat it does, for callers and for operators.\n\n- \`${vendor}\`: set \`${keyVariable(vendor)}\`.\n`
}

/** True for the folder of the bundled plugins. */
export function isBundled(folder: string): boolean {
  return join(folder, '.') === join(packageRoot(), 'plugins')
}
