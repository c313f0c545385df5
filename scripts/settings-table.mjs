/** `node scripts/settings-table.mjs`: renews the table of settings in the README from config/default.ts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare, root } from './prepare.mjs'

const built = await prepare().catch(fail)
const { withSettingsTable } = await import(pathToFileURL(join(built, 'scripts', 'settings-table.js')).href)
const readme = join(root, 'README.md')
writeFileSync(readme, withSettingsTable(readFileSync(readme, 'utf8')))
