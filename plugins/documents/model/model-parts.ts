import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import { chat } from '../../llm/contract.js'
import { SYSTEM } from './question.js'

/** Parts processed in parallel. */
const AT_ONCE = 3
/** With less time left no further part is started. */
const LEAST_MS = 30_000
/** A model cannot rewrite longer answers. */
const MOST_SHOWN_AGAIN = 16_000

interface PartsQuestion {
  readonly vendor: string
  readonly prompt: string
  readonly maxTokens: number
  /** The schema as sent to the model. */
  readonly schema: Readonly<Record<string, unknown>>
}

interface PartAnswers {
  /** In the order of the parts. */
  readonly answers: readonly unknown[]
  /** Number of parts without an answer. */
  readonly missed: number
}

/** A rejected answer and its problems. */
export interface Wrong {
  readonly answer: unknown
  readonly problems: string
}

/** Queries one vendor's model about the parts of a text. */
export class ModelParts {
  readonly #ctx: ProviderContext
  readonly #question: PartsQuestion

  constructor(ctx: ProviderContext, question: PartsQuestion) {
    this.#ctx = ctx
    this.#question = question
  }

  /** Answers for all parts. Without a schema, all use the names of the first answer. Throws when there is none. */
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
        // The results so far are worth more than a try that runs into its limit.
        if (done > 0 && this.#ctx.timeLeft() < LEAST_MS) missed++
        else
          await one(next).catch((error: unknown) => {
            // The remaining parts are skipped.
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
    if (given.length === 0) throw new Fault('missing', 'The language model returned no usable answer.', { inconclusive: true })
    return { answers: given, missed }
  }

  /** A second answer in place of a rejected one; null when that is not possible: it is too long, or there are several parts. */
  async again(parts: readonly string[], { answer, problems }: Wrong): Promise<unknown> {
    const written = JSON.stringify(answer)
    const [only] = parts
    if (only === undefined || parts.length > 1 || written.length > MOST_SHOWN_AGAIN) return null
    this.#ctx.progress('repairing')
    const more = `Your last answer was:\n${written}\n\nIt is not accepted: ${problems}. Answer again with JSON that fits and that the document says.`
    return await this.#query(only, more)
  }

  async #orMissing(text: string, named: string, only: boolean): Promise<unknown> {
    try {
      return await this.#query(text, named)
    } catch (error) {
      if (only || !Fault.is(error) || error.kind !== 'missing') throw error
      this.#ctx.log('a part of the text has no answer', { reason: error.message })
      return undefined
    }
  }

  async #query(document: string, more: string): Promise<unknown> {
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

/** The instruction to use the names of an answer. */
function namesIn(answer: unknown): string {
  const names = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? Object.keys(answer) : []
  return names.length === 0 ? '' : `Use these names where they fit: ${names.slice(0, 100).join(', ').slice(0, 2_000)}.`
}
