/** `npm run bench:files`: builds if stale, then measures files on their way through the gateway and what the capabilities share. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'files', 'main.js')).href)
