/** `npm run bench:mcp`: builds if stale, then measures what an MCP call costs over the plain HTTP call, and how long the lists of tools are. `--help` says how. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'bench', 'mcp', 'main.js')).href)
