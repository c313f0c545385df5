import { resource } from '../../core/sdk/index.js'
import { Catalogue } from './catalogue.js'
import { offeredIn, type Question } from './contract.js'

/** Sets of capabilities that are cached: those of the products, before and after a reload. */
const MOST = 8

/** Catalogues by version, because reading all phrases takes longer than matching a sentence. */
export class KnownCatalogues {
  readonly #known = new Map<string, Catalogue>()

  of(question: Pick<Question, 'version' | 'capabilities'>): Catalogue {
    const { version } = question
    const known = this.#known.get(version)
    if (known !== undefined) return known
    const made = new Catalogue(offeredIn(question))
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MOST && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(version, made)
    return made
  }
}

export const knownCatalogues = resource<KnownCatalogues>({
  id: 'playground.catalogues',
  open: () => Promise.resolve(new KnownCatalogues()),
})
