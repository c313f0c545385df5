/** `npm run bench:speech`: builds if stale, then has a gateway speak fifty sentences. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'speech', 'main.js')).href)
