/** `npm run bench`: builds if stale, then measures side by side. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'main.js')).href)
