import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface GuestPlugin {
  /** Also the id of its capability, at `/v1/{name}`. */
  readonly name: string
  /** Text of the run function of each provider, in order, what its declaration has besides, and what precedes it in its file. */
  readonly providers: Readonly<Record<string, { readonly run: string; readonly more?: string; readonly head?: string }>>
}

/** A folder of plugins as a third party writes them: each with one capability that takes and answers `text`. */
export class GuestPlugins {
  readonly folder = mkdtempSync(join(tmpdir(), 'capstan-guests-'))

  write({ name, providers }: GuestPlugin): void {
    this.#file(
      name,
      'index.mjs',
      `import { plugin } from 'capstan/sdk'\nexport const manifest = plugin({ name: '${name}', version: '1.0.0', sdk: 2, title: 'Guest' })\n`,
    )
    this.#file(
      name,
      'contract.mjs',
      `import { Type, capability, flat } from 'capstan/sdk'
export const thing = capability({
  id: '${name}', path: '/v1/${name}', title: 'Thing', description: 'Does a thing.',
  input: Type.Object({ text: Type.String({ description: 'The text.' }) }), output: Type.Object({ text: Type.String() }),
  price: flat(1), work: 'light', examples: [{ title: 'One', params: { text: 'x' } }],
})
`,
    )
    for (const [index, [id, { run, more = '', head = '' }]] of Object.entries(providers).entries())
      this.#file(
        name,
        `providers/${id}.mjs`,
        `import { provider, vendor, Fault } from 'capstan/sdk'
import { thing } from '../contract.mjs'
${head}
export const p = provider(thing, { vendor: vendor({ id: '${id}', title: '${id}' }), rank: ${10 + index}, run: ${run}, ${more} })
`,
      )
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #file(plugin: string, name: string, text: string): void {
    const path = join(this.folder, plugin, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
