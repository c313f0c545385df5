/** `node scripts/generated-pages.mjs`: renews what is made from the code in README.md and docs: capabilities, settings, errors. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, prepare } from './prepare.mjs'

const built = await prepare().catch(fail)
await import(pathToFileURL(join(built, 'scripts', 'docs', 'main.js')).href)
