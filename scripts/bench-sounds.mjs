/** `npm run bench:sounds`: builds if stale, then has a gateway make sixty sounds. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'sounds', 'main.js')).href)
