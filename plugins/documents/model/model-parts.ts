import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import { chat } from '../../llm/contract.js'
import { SYSTEM } from './question.js'

/** Parts that are asked about at the same time. */
const AT_ONCE = 3
/** With less time no further part is asked about. */
const LEAST_MS = 30_000
/** Longer answers cannot be written anew by a model. */
const MOST_SHOWN_AGAIN = 16_000

interface PartsQuestion {
  readonly vendor: string
  readonly prompt: string
  readonly maxTokens: number
  /** What a model is shown of the schema. */
  readonly schema: Readonly<Record<string, unknown>>
}

interface PartAnswers {
  /** In the order of the parts. */
  readonly answers: readonly unknown[]
  /** Parts about which there is none. */
  readonly missed: number
}

/** An answer that was not accepted, and what was wrong with it. */
export interface Wrong {
  readonly answer: unknown
  readonly problems: string
}

/** Asks one vendor's model about the parts of a text. */
export class ModelParts {
  readonly #ctx: ProviderContext
  readonly #question: PartsQuestion

  constructor(ctx: ProviderContext, question: PartsQuestion) {
    this.#ctx = ctx
    this.#question = question
  }

  /** Answers about all parts. Without a schema the names of the first answer are those of the others. Throws when there is none. */
  async all(parts: readonly string[], sameNames: boolean): Promise<PartAnswers> {
    const answers: unknown[] = []
    let missed = 0
    let done = 0
    let named = ''
    const open = parts.map((text, index) => ({ text, index }))
    const one = async ({ text, index }: { text: string; index: number }): Promise<void> => {
      this.#ctx.progress(
        'extracting',
        parts.length === 1 ? undefined : `part ${String(index + 1)} of ${String(parts.length)}`,
        done,
        parts.length,
      )
      const answer = await this.#orMissing(text, named, parts.length === 1)
      if (answer === undefined) missed++
      else answers[index] = answer
      done++
    }
    const work = async (): Promise<void> => {
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        // What is found so far is worth more than a try that ends at its limit.
        if (done > 0 && this.#ctx.timeLeft() < LEAST_MS) missed++
        else
          await one(next).catch((error: unknown) => {
            // The other parts are not asked about any more.
            open.length = 0
            throw error
          })
      }
    }
    const first = sameNames && parts.length > 1 ? open.shift() : undefined
    if (first !== undefined) {
      await one(first)
      named = namesIn(answers[0])
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const given = answers.filter((answer) => answer !== undefined)
    if (given.length === 0) throw new Fault('missing', 'The language model gave no usable answer.', { inconclusive: true })
    return { answers: given, missed }
  }

  /** A second answer in place of one that was not accepted; null when it cannot be given: too long a one, or one of several parts. */
  async again(parts: readonly string[], { answer, problems }: Wrong): Promise<unknown> {
    const written = JSON.stringify(answer)
    const [only] = parts
    if (only === undefined || parts.length > 1 || written.length > MOST_SHOWN_AGAIN) return null
    this.#ctx.progress('repairing')
    const more = `Your last answer was:\n${written}\n\nIt is not accepted: ${problems}. Answer again with JSON that fits and that the document says.`
    return await this.#asked(only, more)
  }

  async #orMissing(text: string, named: string, only: boolean): Promise<unknown> {
    try {
      return await this.#asked(text, named)
    } catch (error) {
      if (only || !Fault.is(error) || error.kind !== 'missing') throw error
      this.#ctx.log('a part of the text has no answer', { reason: error.message })
      return undefined
    }
  }

  async #asked(document: string, more: string): Promise<unknown> {
    const { vendor, prompt, maxTokens, schema } = this.#question
    const input = {
      system: SYSTEM,
      prompt: more === '' ? prompt : `${prompt}\n\n${more}`,
      document,
      max_tokens: maxTokens,
      schema: { ...schema },
    }
    const { object } = await this.#ctx.call(chat, input, { only: vendor })
    return object
  }
}

/** Asks for the names that an answer has. */
function namesIn(answer: unknown): string {
  const names = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? Object.keys(answer) : []
  return names.length === 0 ? '' : `Use these names where they fit: ${names.slice(0, 100).join(', ').slice(0, 2_000)}.`
}
