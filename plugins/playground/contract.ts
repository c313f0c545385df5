import { foreignJson, nullable, or, port, SchemaCompiler, Type, type Static } from '../../core/sdk/index.js'

const fields = Type.Record(Type.String(), Type.Unknown())

/** A capability as a caller may use it. */
const offered = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  aliases: Type.Array(Type.String()),
  phrases: Type.Array(Type.Object({ say: Type.String(), params: Type.Optional(fields) })),
  examples: Type.Array(Type.Object({ title: Type.String(), params: fields })),
  /** Parameters that name the format of a file, by the parameter with its address. */
  formatOf: Type.Record(Type.String(), Type.String()),
  /** JSON Schema of its parameters. */
  input: fields,
})

/**
 * The capability and the parameters that a sentence means. Nothing is executed. Parameters are what the caller wrote, put where the schema of the capability
 * has room for them; whether they are complete is for the asker to check.
 */
export const propose = port({
  id: 'playground.propose',
  input: Type.Object({
    message: Type.String({ minLength: 1, maxLength: 4_000 }),
    /** The conversation so far, oldest first; `role` is user or assistant. */
    history: or(Type.Array(Type.Record(Type.String(), Type.String()), { maxItems: 50 }), []),
    /** The capabilities as JSON (`offeredIn`), because most questions are about the same ones. */
    capabilities: Type.String(),
    /** Differs whenever they do. */
    version: Type.String(),
  }),
  output: Type.Object({
    /** Id; null when no capability fits. */
    capability: nullable(Type.String()),
    params: fields,
    /** Ids of other capabilities that could be meant, the likeliest first. */
    alternatives: Type.Array(Type.String()),
  }),
})

export type Offered = Static<typeof offered>
export type Question = Static<typeof propose.input>
export type Proposal = Static<typeof propose.output>

const list = new SchemaCompiler().compile(Type.Array(offered))

/** The capabilities of a question. Throws TypeError for JSON of another form. */
export function offeredIn({ capabilities }: Pick<Question, 'capabilities'>): readonly Offered[] {
  const given = foreignJson(capabilities)
  if (list.check(given)) return given
  throw new TypeError(`these are no capabilities: ${list.explain()}`)
}
