import type { Cancel } from '../../runtime/cancel.js'
import type { Workers } from '../../exec/types.js'
import { checkedSchema, type CheckedSchema } from '../../sdk/checked-schema.js'
import { answerOf, Fault, type CallerSchema, type SchemaViolation } from '../../sdk/index.js'
import type { Question, Verdict } from './work/validate.js'

const MODULE = new URL('./work/validate.js', import.meta.url)
/** For compiling one schema or checking one value. */
const LIMITS = { timeoutMs: 1_000, heapMb: 128 }
/** A call with less time left than this counts as ended. */
const AT_END_MS = 20
/** Characters of the JSON of a value. */
const MOST_CHARACTERS = 2 * 1024 * 1024

interface GivenSchema {
  readonly schema: unknown
  /** Its path in the input. */
  readonly loc: readonly (string | number)[]
  readonly cancel: Cancel
}

/** Checks a caller's schema and compiles it in a worker thread. Throws an `invalid` Fault that names the keyword at fault. */
export async function callerSchema(workers: Pick<Workers, 'run'>, given: GivenSchema): Promise<CallerSchema> {
  const checked = checkedSchema(given.schema, given.loc)
  const [first] = checked.violations
  if (first !== undefined) throw new Fault('invalid', `${first.msg}.`, { loc: first.loc })
  const compiled = new CompiledSchema(workers, given, checked)
  await compiled.run(null)
  return { schema: checked.schema, loc: given.loc, violations: (value) => compiled.violations(value) }
}

/** A checked schema that worker threads run. */
class CompiledSchema {
  readonly #workers: Pick<Workers, 'run'>
  readonly #given: GivenSchema
  readonly #question: Omit<Question, 'value'>

  constructor(workers: Pick<Workers, 'run'>, given: GivenSchema, { schema, patterns }: CheckedSchema) {
    this.#workers = workers
    this.#given = given
    this.#question = { schema: JSON.stringify(schema), patterns }
  }

  async violations(value: unknown): Promise<readonly SchemaViolation[]> {
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) return [{ at: '/', message: 'must be a JSON value' }]
    if (text.length > MOST_CHARACTERS) return [{ at: '/', message: `must be of at most ${MOST_CHARACTERS} characters` }]
    return await this.run(text)
  }

  async run(value: string | null): Promise<readonly SchemaViolation[]> {
    const { loc, cancel } = this.#given
    const question: Question = { ...this.#question, value }
    const verdict = answerOf<Verdict>(
      await this.#workers.run(MODULE, question, LIMITS, cancel).catch((error: unknown) => this.#fail(error)),
    )
    if ('violations' in verdict) return verdict.violations
    const { refused } = verdict
    throw new Fault('invalid', refused.message, { loc: refused.loc.length === 0 ? loc : refused.loc })
  }

  /** A thread that was stopped at its limits is the schema's fault, unless the call itself had ended. */
  #fail(error: unknown): never {
    const { loc, cancel } = this.#given
    if (!Fault.is(error) || !error.costly || cancel.cancelled || cancel.timeLeft() < AT_END_MS) throw error
    const { timeoutMs, heapMb } = LIMITS
    throw new Fault('invalid', `The schema needs more than ${timeoutMs} ms or ${heapMb} MiB to be checked: make it simpler.`, {
      loc,
      costly: true,
      cause: error,
    })
  }
}
