import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import type { CallerSchema } from '../schema/caller-schema.js'
import type { Settled } from '../work/settle.js'
import type { Wrong } from './model-parts.js'

const MOST_PLACES = 10
const LONGEST_PLACE = 100

interface AcceptedBy {
  readonly schema: CallerSchema | null
  readonly settle: (answers: readonly unknown[]) => Promise<Settled>
  readonly repair: (wrong: Wrong) => Promise<unknown>
  /** A part of the text was not read and may contain missing values. */
  readonly inconclusive: boolean
}

/** Decides whether an answer is returned to the caller, after one repair if necessary. */
export class Accepted {
  readonly #ctx: ProviderContext
  readonly #by: AcceptedBy

  constructor(ctx: ProviderContext, by: AcceptedBy) {
    this.#ctx = ctx
    this.#by = by
  }

  /** The answer that matches the schema and is supported by the source. Throws `missing` when there is none. */
  async from(answers: readonly unknown[]): Promise<Settled['extracted']> {
    const first = await this.#by.settle(answers)
    const problems = await this.#problems(first)
    if (problems === null) return this.#given(first)
    const again = await this.#by.repair({ answer: answers.length === 1 ? answers[0] : first.extracted, problems })
    const second = again === null ? first : await this.#by.settle([again])
    const still = again === null ? problems : await this.#problems(second)
    if (still === null) return this.#given(second)
    this.#ctx.note(`The answer of the language model was not used: ${still}.`)
    const { inconclusive } = this.#by
    throw new Fault('missing', `Nothing was found that matches the schema and is in the source: ${still}.`, { inconclusive })
  }

  #given({ extracted, struck, conflicts, empty }: Settled): Settled['extracted'] {
    if (struck.length > 0) this.#ctx.note(`Left out, since the text does not occur in the source: ${listed(struck)}.`)
    if (conflicts.length > 0) this.#ctx.note(`Parts of the text contradict each other, and the first was used: ${listed(conflicts)}.`)
    if (empty) throw new Fault('missing', 'None of the requested data is in the source.', { inconclusive: this.#by.inconclusive })
    return extracted
  }

  /** The reasons to reject an answer, worded for a model and the caller; null for none. */
  async #problems({ extracted, struck }: Settled): Promise<string | null> {
    const violations = (await this.#by.schema?.violations(extracted)) ?? []
    if (violations.length === 0) return null
    const unfit = violations.slice(0, MOST_PLACES).map(({ at, message }) => `${at.slice(0, LONGEST_PLACE)} ${message}`)
    const absent = struck.length === 0 ? [] : [`the texts at ${listed(struck)} do not occur in the source`]
    return [...absent, ...unfit].join('; ')
  }
}

function listed(places: readonly string[]): string {
  const first = places.slice(0, MOST_PLACES).map((place) => place.slice(0, LONGEST_PLACE))
  return `${first.join(', ')}${places.length > first.length ? ` and ${String(places.length - first.length)} more` : ''}`
}
