import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A way in which a plugin is broken, and what is said of it; `later` when it is loaded and in use all the same. */
export interface Way {
  readonly name: string
  readonly what: string
  readonly code: string
  readonly says: RegExp
  readonly later?: true
}

export const WAYS: readonly Way[] = [
  { name: 'torn', what: 'a syntax error', code: 'export const x = {', says: /torn, index\.js: cannot be loaded: Unexpected/ },
  { name: 'angry', what: 'an error at its top', code: "throw new Error('no luck')", says: /angry, index\.js: cannot be loaded: no luck/ },
  {
    name: 'endless',
    what: 'a top-level await that never settles',
    code: 'await new Promise(() => undefined)',
    says: /endless, index\.js: cannot be loaded: its evaluation did not end within 1 seconds \(limits\.plugin_load\)/,
  },
  {
    name: 'thrower',
    what: 'an error after it was loaded',
    code: "setTimeout(() => { throw new Error('thrown late') }, 1)",
    says: /thrower\/index\.js[^]*thrown late|thrown late[^]*thrower\/index\.js/,
    later: true,
  },
  {
    name: 'rejecter',
    what: 'a rejection after it was loaded',
    code: "setTimeout(() => Promise.reject(new Error('rejected late')), 1)",
    says: /rejecter\/index\.js[^]*rejected late|rejected late[^]*rejecter\/index\.js/,
    later: true,
  },
]

const manifest = (name: string) =>
  `import { plugin } from 'capstan/sdk'\nexport const manifest = plugin({ name: '${name}', version: '1.0.0', sdk: 2, title: '${name}' })\n`

/** Writes one plugin for each way below a folder. */
export function writeBroken(folder: string, code: (way: Way) => string): void {
  for (const way of WAYS) {
    mkdirSync(join(folder, way.name), { recursive: true })
    writeFileSync(join(folder, way.name, 'index.js'), `${manifest(way.name)}${code(way)}\n`)
  }
}
