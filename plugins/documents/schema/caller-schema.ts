import { Fault, type Services } from '../../../core/sdk/index.js'
import type { Question, Verdict } from '../work/validate.js'
import { checkedSchema, type CheckedSchema } from './checked-schema.js'

const MODULE = new URL('../work/validate.js', import.meta.url)
/** For one schema, or one value validated against it. */
const LIMITS = { timeoutMs: 1_000, heapMb: 128 }
/** With less time left, a call counts as over. */
const AT_END_MS = 20
/** Characters of the JSON of a value. */
const MOST_CHARACTERS = 2 * 1024 * 1024

/** A position where a value violates a schema. */
export interface SchemaViolation {
  /** JSON pointer into the value, `/` for the value itself. */
  readonly at: string
  readonly message: string
}

/** A caller's JSON Schema that was checked and can be used. */
export interface CallerSchema {
  /** A copy with only the supported keywords. */
  readonly schema: Readonly<Record<string, unknown>>
  /**
   * At most 20 violations of a JSON value. Runs in a worker thread with 1 s and 128 MiB; a schema that needs more is
   * an `invalid` Fault that counts against the caller.
   */
  violations(value: unknown): Promise<readonly SchemaViolation[]>
}

/** The part of a context that runs a schema. */
export type SchemaContext = Pick<Services, 'work' | 'signal' | 'timeLeft'>

/**
 * Checks a caller's JSON Schema (draft 2020-12) and compiles it in a worker thread, before any vendor is called.
 * `loc` is its input field. Throws an `invalid` Fault that names the keyword at fault.
 */
export async function callerSchema(context: SchemaContext, schema: unknown, loc: readonly (string | number)[]): Promise<CallerSchema> {
  const checked = checkedSchema(schema, loc)
  const [first] = checked.violations
  if (first !== undefined) throw new Fault('invalid', `${first.msg}.`, { loc: first.loc })
  const compiled = new CompiledSchema(context, loc, checked)
  await compiled.ask(null)
  return { schema: checked.schema, violations: (value) => compiled.violations(value) }
}

/** A checked schema, and the threads that run it. */
class CompiledSchema {
  readonly #context: SchemaContext
  readonly #loc: readonly (string | number)[]
  readonly #question: Omit<Question, 'value'>

  constructor(context: SchemaContext, loc: readonly (string | number)[], { schema, patterns }: CheckedSchema) {
    this.#context = context
    this.#loc = loc
    this.#question = { schema: JSON.stringify(schema), patterns }
  }

  async violations(value: unknown): Promise<readonly SchemaViolation[]> {
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) return [{ at: '/', message: 'must be a JSON value' }]
    if (text.length > MOST_CHARACTERS) return [{ at: '/', message: `must be of at most ${MOST_CHARACTERS} characters` }]
    return await this.ask(text)
  }

  async ask(value: string | null): Promise<readonly SchemaViolation[]> {
    const question: Question = { ...this.#question, value }
    const verdict = await this.#context.work<Verdict>(MODULE, question, LIMITS).catch((error: unknown) => this.#fail(error))
    if ('violations' in verdict) return verdict.violations
    const { refused } = verdict
    throw new Fault('invalid', refused.message, { loc: refused.loc.length === 0 ? this.#loc : refused.loc })
  }

  /** A terminated thread is the schema's fault, unless the call itself was over. */
  #fail(error: unknown): never {
    const { signal } = this.#context
    if (!Fault.is(error) || !error.costly || signal.aborted || this.#context.timeLeft() < AT_END_MS) throw error
    const { timeoutMs, heapMb } = LIMITS
    throw new Fault('invalid', `The schema needs more than ${timeoutMs} ms or ${heapMb} MiB to be checked: make it simpler.`, {
      loc: this.#loc,
      costly: true,
      cause: error,
    })
  }
}
