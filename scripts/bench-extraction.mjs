/** `npm run bench:extraction`: builds if stale, then compares the extraction with Readability alone on pages whose text is known. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'extraction', 'main.js')).href)
