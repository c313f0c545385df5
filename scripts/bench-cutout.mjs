/** `npm run bench:cutout`: builds if stale, then has a gateway cut subjects out of pictures with a known mask. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'cutout', 'main.js')).href)
