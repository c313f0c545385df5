import { Fault, type HandlerContext, isRecord, type Static, type TSchema, type Validator } from '../../core/sdk/index.js'
import { modelJson } from '../_shared/model-json.js'
import { tokensOf } from '../_shared/tokens.js'
import { chat } from '../llm/contract.js'
import type { Budget } from './budget.js'

interface ModelRequest {
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
  readonly withinMs: number
}

/** The language model of one research, within its limits. */
export class Model {
  readonly #ctx: HandlerContext
  readonly #budget: Budget
  #failures = 0

  constructor(ctx: HandlerContext, budget: Budget) {
    this.#ctx = ctx
    this.#budget = budget
  }

  /** A model is configured, and did not fail twice in a row. */
  get isThere(): boolean {
    return this.#failures < 2 && this.#ctx.has(chat)
  }

  /** The model's answer in the requested shape; null when there is no model, it fails, or the limits are reached. */
  async json<S extends TSchema>({ system, prompt, maxTokens, withinMs }: ModelRequest, shape: Validator<S>): Promise<Static<S> | null> {
    if (!this.isThere || withinMs <= 0) return null
    const answer = await this.#ctx.aside(
      async (context) => {
        const counted = {
          has: context.has.bind(context),
          note: context.note.bind(context),
          providers: context.providers.bind(context),
          call: this.#counted(context),
        }
        return { value: await modelJson(counted, { system, prompt, max_tokens: maxTokens }, shape) }
      },
      { withinMs },
    )
    this.#failures = answer === null ? this.#failures + 1 : 0
    return answer === null ? null : answer.value
  }

  /** A context's `call` that counts each request before it is sent. */
  #counted(context: HandlerContext): HandlerContext['call'] {
    return async (port, input, options) => {
      const { prompt, system, max_tokens: most } = chatSize(input)
      const inputTokens = tokensOf(prompt) + tokensOf(system)
      if (!this.#budget.take('modelCalls'))
        throw new Fault('missing', 'The budget of questions to the language model is used up.', { inconclusive: true })
      if (!this.#budget.take('tokens', inputTokens + most))
        throw new Fault('missing', 'The budget of tokens of the language model is used up.', { inconclusive: true })
      const answer = await context.call(port, input, options)
      this.#budget.giveBack('tokens', most - tokensOf(JSON.stringify(answer)))
      return answer
    }
  }
}

function chatSize(input: unknown): { readonly prompt: string; readonly system: string; readonly max_tokens: number } {
  const { prompt, system, max_tokens } = { prompt: '', system: '', max_tokens: 1_024, ...(isRecord(input) ? input : {}) }
  return { prompt: String(prompt), system: String(system), max_tokens: Number(max_tokens) }
}
