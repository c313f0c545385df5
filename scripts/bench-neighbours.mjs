/** `npm run bench:neighbours`: builds if stale, then measures one account's quiet calls beside another's attacks. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'neighbours', 'main.js')).href)
