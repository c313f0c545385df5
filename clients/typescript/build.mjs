/** Builds dist: `esm` and `cjs` with tsc, and one set of declarations. `node build.mjs` needs the TypeScript of this repository. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
compile(['--outDir', join(dist, 'esm'), '--removeComments'])
compile(['--outDir', join(dist, 'cjs'), '--module', 'commonjs', '--removeComments'])
// Declarations of CommonJS, which a module may import too: one set is enough for both.
compile(['--outDir', join(dist, 'cjs'), '--declaration', '--emitDeclarationOnly', '--stripInternal'])
writeFileSync(join(dist, 'cjs', 'package.json'), '{"type":"commonjs"}\n')
writeFileSync(join(dist, 'esm', 'index.d.ts'), "export * from '../cjs/index.js'\n")
for (const name of readdirSync(dist, { recursive: true })) if (/\.(?:js|d\.ts)$/.test(name)) tidy(join(dist, name))
// Only what index.d.ts reaches.
rmSync(join(dist, 'cjs', 'events.d.ts'))

function compile(options) {
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json'), ...options], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
}

/** Indents with tabs, and tells bundlers for browsers to leave the one import alone that only runs where there is a file system. */
function tidy(file) {
  const text = readFileSync(file, 'utf8')
  const tabbed = text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  writeFileSync(file, tabbed.replace('import(name)', 'import(/* webpackIgnore: true */ /* @vite-ignore */ name)'))
}
