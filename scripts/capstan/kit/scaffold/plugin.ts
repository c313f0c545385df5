import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { idFault, namesFault } from '../../../../core/loader/names.js'
import { packageRoot } from '../../../../core/runtime/root.js'
import { answerForm } from './answer-form.js'
import { fileForm } from './file-form.js'
import { requireFolder, writeNew } from './files.js'
import type { Form } from './form.js'
import { keyVariable, requireWords, title } from './names.js'
import { packageFile } from './package.js'
import { APART, BUNDLED, contractFile, indexFile, tsconfigFile, vendorFile } from './templates.js'

export interface NewPluginOptions {
  /** Its vendor processes a file as a job; otherwise it answers one request. */
  readonly files?: boolean
  /** JavaScript with a `package.json`, for npm; not in the gateway's own tree. */
  readonly javascript?: boolean
  /** Whether the folder is in the gateway's own tree; detected by default. */
  readonly bundled?: boolean
}

/**
 * Writes a plugin with one capability, one provider and its fixture below a folder; returns the files. In the gateway's own
 * `plugins` folder it imports the sdk by path, elsewhere as `capstan/sdk`. Throws when the name is taken or not allowed.
 */
export async function newPlugin(name: string, folder: string, options: NewPluginOptions = {}): Promise<string[]> {
  const { files = false, javascript = false, bundled = isBundled(folder) } = options
  requireWords('the plugin name', name)
  const fault = idFault(name.replaceAll('-', '_')) ?? namesFault({ path: `/v1/${name}` })
  if (fault !== null) throw new Error(fault)
  if (bundled && javascript)
    throw new Error('plugins of the gateway are TypeScript; name another folder with --folder, or omit --javascript')
  if (!bundled && existsSync(join(packageRoot(), 'plugins', name)))
    throw new Error(`${name} is a bundled plugin; choose another name, for example my-${name}`)
  requireFolder(folder)
  const home = join(folder, name)
  if (existsSync(home)) throw new Error(`${home} already exists; nothing was written`)
  const form: Form = files ? fileForm : answerForm
  const extension = javascript ? 'js' : 'ts'
  const at = (...path: string[]): string => join(home, ...path)
  const vendor = `${name}-example`
  const { sdk, vendors } = bundled ? BUNDLED : APART
  const id = name.replaceAll('-', '_')
  const provider = form.provider({ sdk: sdk(1), name, vendor, vendorFrom: `${vendors}/${vendor}.js` })
  const beside: (readonly [string, string])[] = javascript
    ? [[at('package.json'), packageFile(name)]]
    : bundled
      ? []
      : [[at('tsconfig.json'), tsconfigFile(packageRoot())]]
  const vendorAt = bundled ? join(folder, '_vendors', `${vendor}.ts`) : at('vendors', `${vendor}.${extension}`)
  return await writeNew(
    new Map([
      [at(`index.${extension}`), indexFile(name, sdk(0), { settings: form.settings !== undefined })],
      ...(form.settings === undefined ? [] : ([[at(`settings.${extension}`), form.settings(sdk(0))]] as const)),
      [at(`contract.${extension}`), contractFile(name, sdk(0), form.contract)],
      [vendorAt, vendorFile(vendor, bundled ? sdk(0) : 'capstan/sdk')],
      [at('providers', `${vendor}.${extension}`), provider],
      [at('fixtures', `${vendor}.${id}.json`), `${JSON.stringify(form.fixture(name), null, 2)}\n`],
      [at('README.md'), readme(name, vendor, form)],
      ...beside,
    ]),
  )
}

function readme(name: string, vendor: string, { settings }: Form): string {
  const setting = settings === undefined ? '' : `- \`plugins.${name}.max_bytes\`: largest file that is sent or accepted, in bytes.\n`
  return `# ${title(name)}\n\nWhat it does, for callers and for operators.\n\n- \`${vendor}\`: set \`${keyVariable(vendor)}\`.\n${setting}`
}

/** True for the folder of the bundled plugins. */
export function isBundled(folder: string): boolean {
  return join(folder, '.') === join(packageRoot(), 'plugins')
}
