/** `npm run bench:standstill`: builds if stale, then measures how long single requests hold the event loop up. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'standstill', 'main.js')).href)
