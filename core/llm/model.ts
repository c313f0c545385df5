import { answerOf, chat, Fault, type HandlerContext, type Static, type TextPrompt, type TSchema } from '../sdk/index.js'
import type { Shapes } from '../dispatch/shapes.js'

type Asks = Pick<HandlerContext, 'call' | 'has'>

/** Access to whatever language model is configured. What comes back is data: validated, never executed. */
export class ModelService {
  readonly #context: Asks
  readonly #shapes: Shapes

  constructor(context: Asks, shapes: Shapes) {
    this.#context = context
    this.#shapes = shapes
  }

  get live(): boolean {
    return this.#context.has(chat)
  }

  async text(prompt: TextPrompt): Promise<string> {
    const answer = await this.#context.call(chat, { ...question(prompt), schema: null })
    return answer.text
  }

  /** The answer in the wanted shape; a violation is sent back once with what was wrong. */
  async json<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<Static<S>> {
    const schema = answerOf<Record<string, unknown>>(shape)
    const first = await this.#context.call(chat, { ...question(prompt), schema })
    const wrong = this.#shapes.violation(shape, first.object)
    if (wrong === null) return this.#shapes.read(shape, first.object)
    const repaired = await this.#context.call(chat, {
      ...question({
        ...prompt,
        prompt: `${prompt.prompt}\n\nYour last answer was:\n${first.text.slice(0, 8_000)}\n\nIt does not fit the schema: ${wrong}. Answer again with JSON that fits.`,
      }),
      schema,
    })
    const still = this.#shapes.violation(shape, repaired.object)
    if (still !== null) throw new Fault('broken', 'The language model did not answer in the wanted form.', { internal: still })
    return this.#shapes.read(shape, repaired.object)
  }
}

function question({ prompt, system, maxTokens }: TextPrompt) {
  return { prompt, ...(system === undefined ? {} : { system }), ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) }
}
