import {
  answerOf,
  chat,
  documentPages,
  Fault,
  type CallerSchema,
  type HandlerContext,
  type LanguageModel,
  type ModelAnswer,
  type ModelFile,
  type ModelFileType,
  type Static,
  type TextPrompt,
  type TSchema,
} from '../../sdk/index.js'
import type { Shapes } from './shapes.js'
import { asPictures, assertBounded } from './shown-files.js'

type ModelContext = Pick<HandlerContext, 'call' | 'has' | 'note' | 'providers'>
type AnswerSchema = Record<string, unknown> | null

/** Most characters of a rejected answer that are sent back to the model. */
const SHOWN_AGAIN = 8_000
/** A placeholder file to query which providers accept such files. */
const SAMPLE = { id: '0'.repeat(32), size: 0 }

/** Access to the configured language model. Answers are data: validated, never executed. */
export class ModelService implements LanguageModel {
  readonly #context: ModelContext
  readonly #shapes: Shapes

  constructor(context: ModelContext, shapes: Shapes) {
    this.#context = context
    this.#shapes = shapes
  }

  get live(): boolean {
    return this.#context.has(chat)
  }

  get sees(): boolean {
    return this.takes('image/png')
  }

  takes(type: ModelFileType, only?: string): boolean {
    const input = { prompt: '?', files: [{ file: SAMPLE, content_type: type }] }
    return this.#context.providers(chat).some(({ id, serves }) => (only === undefined || only === id) && serves(input))
  }

  async text(prompt: TextPrompt): Promise<string> {
    return (await this.ask(prompt)).data
  }

  async json<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<Static<S>> {
    return (await this.ask(prompt, shape)).data
  }

  ask(prompt: TextPrompt): Promise<ModelAnswer<string>>
  ask<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<ModelAnswer<Static<S>>>
  async ask<S extends TSchema>(prompt: TextPrompt, shape?: S): Promise<ModelAnswer<unknown>> {
    const shown = await this.#shown(prompt)
    if (shape === undefined) {
      const { text, truncated } = await this.#complete(shown, null)
      return { data: text, truncated }
    }
    const violation = (object: unknown): Promise<string | null> => Promise.resolve(this.#shapes.violation(shape, object))
    const { data, truncated } = await this.#fitting(shown, answerOf<Record<string, unknown>>(shape), violation)
    return { data: this.#shapes.read(shape, data), truncated }
  }

  async jsonFor(prompt: TextPrompt, schema: CallerSchema): Promise<ModelAnswer<unknown>> {
    return await this.#fitting(await this.#shown(prompt), schema.schema, async (object) => {
      const violations = await schema.violations(object)
      return violations.length === 0 ? null : violations.map(({ at, message }) => `${at} ${message}`).join('; ')
    })
  }

  /** An answer that fits the schema; one with violations is sent back once. */
  async #fitting(
    prompt: TextPrompt,
    schema: AnswerSchema,
    violation: (object: unknown) => Promise<string | null>,
  ): Promise<ModelAnswer<unknown>> {
    const first = await this.#complete(prompt, schema)
    const wrong = await violation(first.object)
    if (wrong === null) return { data: first.object, truncated: first.truncated }
    const again = `Your last answer was:\n${first.text.slice(0, SHOWN_AGAIN)}\n\nIt does not fit the schema: ${wrong.slice(0, SHOWN_AGAIN)}. Answer again with JSON that fits.`
    const second = await this.#complete({ ...prompt, prompt: `${prompt.prompt}\n\n${again}` }, schema)
    const still = await violation(second.object)
    if (still !== null) throw new Fault('broken', 'The language model did not answer in the wanted form.', { internal: still })
    return { data: second.object, truncated: second.truncated }
  }

  async #complete(prompt: TextPrompt, schema: AnswerSchema) {
    const { only } = prompt
    const input = { ...question(prompt), schema }
    const { text, object, truncated } = await this.#context.call(chat, input, only === undefined ? {} : { only })
    if (truncated) this.#context.note('The document is longer than the context of the language model, which saw a part of it.')
    return { text, object, truncated }
  }

  /** The prompt, with its files converted to types that a live model accepts. */
  async #shown(prompt: TextPrompt): Promise<TextPrompt> {
    const { files = [], only } = prompt
    if (files.length === 0) return prompt
    assertBounded(files)
    return { ...prompt, files: this.#mustTurn(files, only) ? await asPictures(files, this.#context) : files }
  }

  #mustTurn(files: readonly ModelFile[], only: string | undefined): boolean {
    return (
      files.some(({ content_type }) => content_type === 'application/pdf') &&
      !this.takes('application/pdf', only) &&
      this.takes('image/png', only) &&
      this.#context.has(documentPages)
    )
  }
}

function question({ prompt, system, maxTokens, document, keep, files }: TextPrompt) {
  return {
    prompt,
    ...(system === undefined ? {} : { system }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(document === undefined ? {} : { document }),
    ...(keep === undefined ? {} : { keep }),
    ...(files === undefined ? {} : { files: [...files] }),
  }
}
