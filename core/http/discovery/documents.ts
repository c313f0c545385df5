import { createHash } from 'node:crypto'
import type { HttpServices } from '../services.js'
import { capabilitiesOf } from '../direction.js'
import { describe, type Described } from './described.js'

export interface Document {
  /** One buffer for all requests: a text would be copied for each. */
  readonly bytes: Buffer
  readonly etag: string
}

/** Documents built once for each version of the registry. */
export class Documents {
  readonly #services: HttpServices
  #version = ''
  #made = new Map<string, Document>()
  #described: readonly Described[] = []

  constructor(services: HttpServices) {
    this.#services = services
  }

  /** The document of a name, rebuilt if the registry has changed. */
  get(name: string, build: (capabilities: readonly Described[]) => string): Document {
    const registry = this.#services.registry()
    const version = `${registry.version} ${this.#services.publicUrl()}`
    if (version !== this.#version) {
      this.#version = version
      this.#made = new Map()
      this.#described = describe(registry)
    }
    let document = this.#made.get(name)
    if (document === undefined) {
      const bytes = Buffer.from(build(this.#described))
      document = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
      this.#made.set(name, document)
    }
    return document
  }

  /** The capabilities of a product. */
  within(list: readonly Described[], product: string): readonly Described[] {
    const ids = capabilitiesOf(this.#services, product)
    return ids === null ? list : list.filter(({ id }) => ids.has(id))
  }
}
