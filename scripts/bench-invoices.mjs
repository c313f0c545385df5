/** `npm run bench:invoices`: builds if stale, then has a gateway parse invoices of all layouts and counts the fields that are right. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'invoices', 'main.js')).href)
