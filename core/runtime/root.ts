import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, searched upwards, because the code runs from the build folder and data files stay in the source tree. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) || !existsSync(join(folder, 'config', 'waterfall.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('the folder of capstan (package.json and config/waterfall.json) was not found above the code')
    folder = parent
  }
  return folder
}

/** Version of the package, from package.json. */
export function packageVersion(): string {
  const text: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  return typeof text === 'object' && text !== null && 'version' in text && typeof text.version === 'string' ? text.version : '0.0.0'
}
