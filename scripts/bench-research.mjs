/** `npm run bench:research`: builds if stale, then sends a gateway of this build questions over a local corpus of Debian documentation. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'research', 'main.js')).href)
