import { answerOf, Fault, type Given, type Services, type Static, type TSchema, type Validator } from '../../core/sdk/index.js'
import { chat, type ModelFileType } from '../llm/contract.js'
import { documentPages } from '../reading/contract.js'
import { asPictures, assertBounded, type ModelFile } from './model-files.js'

/** Characters of an invalid answer that are sent back to the model. */
const SHOWN_AGAIN = 8_000
/** A placeholder file, used to find the models that accept such files. */
const SAMPLE = { id: '0'.repeat(32), size: 0 }

type ModelContext = Pick<Services, 'call' | 'has' | 'note' | 'providers'>

/**
 * A question to a language model. A PDF is sent as images of its pages when no live model accepts PDF and a provider
 * of `document.pages` is available.
 */
export type ModelQuestion = Omit<Given<(typeof chat)['input']>, 'schema'> & {
  /** Ask only the model of this vendor. */
  readonly only?: string
}

/** True when a live model, or the one of this vendor, accepts files of this type directly. */
export function modelTakes(context: Pick<Services, 'providers'>, type: ModelFileType, only?: string): boolean {
  const input = { prompt: '?', files: [{ file: SAMPLE, content_type: type }] }
  return context.providers(chat).some(({ id, serves }) => (only === undefined || only === id) && serves(input))
}

/**
 * A language model's answer as JSON, validated against the shape. An invalid answer is sent back once with its
 * errors; a second one throws a `broken` Fault. Other Faults as those of a port. A truncated document is noted for
 * the caller.
 */
export async function modelJson<S extends TSchema>(
  context: ModelContext,
  { only, ...question }: ModelQuestion,
  shape: Validator<S>,
): Promise<Static<S>> {
  const { files = [] } = question
  const input = { ...question, files: await shown(context, files, only), schema: answerOf<Record<string, unknown>>(shape.schema) }
  const options = only === undefined ? {} : { only }
  const ask = async (prompt: string) => {
    const answer = await context.call(chat, { ...input, prompt }, options)
    if (answer.truncated) context.note('The document is longer than the context of the language model, which saw a part of it.')
    return answer
  }
  const { text, object } = await ask(question.prompt)
  if (shape.check(object)) return object
  const again = `Your last answer was:\n${text.slice(0, SHOWN_AGAIN)}\n\nIt does not fit the schema: ${shape.explain().slice(0, SHOWN_AGAIN)}. Answer again with JSON that fits.`
  const second = await ask(`${question.prompt}\n\n${again}`)
  if (shape.check(second.object)) return second.object
  throw new Fault('broken', 'The language model did not answer in the wanted form.', { internal: shape.explain() })
}

/** The files in a form that a live model accepts. Throws an `invalid` Fault for too many or too large ones. */
async function shown(context: ModelContext, files: readonly ModelFile[], only: string | undefined): Promise<ModelFile[]> {
  assertBounded(files)
  const mustTurn =
    files.some(({ content_type }) => content_type === 'application/pdf') &&
    !modelTakes(context, 'application/pdf', only) &&
    modelTakes(context, 'image/png', only) &&
    context.has(documentPages)
  return mustTurn ? await asPictures(files, context) : [...files]
}
