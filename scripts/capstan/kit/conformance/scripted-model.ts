import {
  Fault,
  type CallerSchema,
  type LanguageModel,
  type ModelAnswer,
  type Static,
  type TextPrompt,
  type TSchema,
} from '../../../../core/sdk/index.js'

/** One answer of a fixture. */
interface Entry {
  readonly json?: unknown
  readonly text?: string
  readonly truncated?: boolean
}

interface ScriptedAnswers {
  /** The next answer. Throws its fault, and a ScriptError when there is none. */
  readonly take: (prompt: string) => Promise<Entry>
  readonly read: <S extends TSchema>(shape: S, value: unknown) => Static<S>
}

/** The language model of a fixture: it accepts images and PDF and gives the recorded answers, without retries. */
export class ScriptedModel implements LanguageModel {
  readonly live: boolean
  readonly #answers: ScriptedAnswers

  constructor(live: boolean, answers: ScriptedAnswers) {
    this.live = live
    this.#answers = answers
  }

  get sees(): boolean {
    return this.live
  }

  takes(): boolean {
    return this.live
  }

  async text(prompt: TextPrompt): Promise<string> {
    return (await this.ask(prompt)).data
  }

  async json<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<Static<S>> {
    return (await this.ask(prompt, shape)).data
  }

  ask(prompt: TextPrompt): Promise<ModelAnswer<string>>
  ask<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<ModelAnswer<Static<S>>>
  async ask<S extends TSchema>({ prompt }: TextPrompt, shape?: S): Promise<ModelAnswer<unknown>> {
    const { text = '', json, truncated = false } = await this.#answers.take(prompt)
    return { data: shape === undefined ? text : this.#answers.read(shape, json), truncated }
  }

  async jsonFor({ prompt }: TextPrompt, schema: CallerSchema): Promise<ModelAnswer<unknown>> {
    const { json, truncated = false } = await this.#answers.take(prompt)
    const [first] = await schema.violations(json)
    if (first !== undefined) throw new Fault('broken', 'The language model did not answer in the wanted form.', { internal: first.at })
    return { data: json, truncated }
  }
}
