import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { idFault, namesFault } from '../loader/names.js'
import { packageRoot } from '../root.js'
import { requireFolder, writeNew } from './files.js'
import { jobFixture, jobProviderFile, settingsFile } from './job-provider.js'
import { keyVariable, requireWords, title } from './names.js'
import { APART, BUNDLED, contractFile, indexFile, tsconfigFile, vendorFile } from './templates.js'

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
  if (!bundled && existsSync(join(packageRoot(), 'plugins', name)))
    throw new Error(`${name} is a plugin that comes with the gateway; give yours another name, for example my-${name}`)
  requireFolder(folder)
  const home = join(folder, name)
  if (existsSync(home)) throw new Error(`${home} exists already; nothing was written`)
  const at = (...path: string[]): string => join(home, ...path)
  const vendor = `${name}-example`
  const { sdk, vendors } = bundled ? BUNDLED : APART
  const id = name.replaceAll('-', '_')
  const provider = jobProviderFile({ sdk: sdk(1), name, vendor, vendorFrom: `${vendors}/${vendor}.js` })
  return await writeNew(
    new Map([
      [at('index.ts'), indexFile(name, sdk(0), { settings: true })],
      [at('settings.ts'), settingsFile(sdk(0))],
      [at('contract.ts'), contractFile(name, sdk(0))],
      [
        bundled ? join(folder, '_vendors', `${vendor}.ts`) : at('vendors', `${vendor}.ts`),
        vendorFile(vendor, bundled ? sdk(0) : 'capstan/sdk'),
      ],
      [at('providers', `${vendor}.ts`), provider],
      [at('fixtures', `${vendor}.${id}.json`), `${JSON.stringify(jobFixture(), null, 2)}\n`],
      [at('README.md'), readme(name, vendor)],
      ...(bundled ? [] : ([[at('tsconfig.json'), tsconfigFile(packageRoot())]] as const)),
    ]),
  )
}

function readme(name: string, vendor: string): string {
  return `# ${title(name)}\n\nWhat it does, for callers and for operators.\n\n- \`${vendor}\`: set \`${keyVariable(vendor)}\`.\n- \`plugins.${name}.max_bytes\`: largest file that is sent or taken, in bytes.\n`
}

/** True for the folder of the bundled plugins. */
export function isBundled(folder: string): boolean {
  return join(folder, '.') === join(packageRoot(), 'plugins')
}
