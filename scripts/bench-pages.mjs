/** `npm run bench:pages`: builds if stale, then measures pictures of pages and pages read in a browser. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'pages', 'main.js')).href)
