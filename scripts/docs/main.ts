import 'reflect-metadata'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { shippedRegistry } from '../../test/support/shipped-registry.js'
import { CAPABILITY_PAGES, generatedPages } from './generated-pages.js'

const root = packageRoot()
const registry = await shippedRegistry()
const pages = generatedPages(registry, (path) => readFileSync(join(root, path), 'utf8'))
const folder = join(root, CAPABILITY_PAGES)
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(`${CAPABILITY_PAGES}/${name}`)) rmSync(join(folder, name))
for (const [path, text] of pages) writeFileSync(join(root, path), text)
process.stdout.write(`${pages.size} pages\n`)
await registry.dispose()
