import { foreignJson, nullable, or, port, SchemaCompiler, Type, type Static } from '../../core/sdk/index.js'

const fields = Type.Record(Type.String(), Type.Unknown())

/** A capability as the playground offers it. */
const offered = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  aliases: Type.Array(Type.String()),
  phrases: Type.Array(Type.Object({ say: Type.String(), params: Type.Optional(fields) })),
  examples: Type.Array(Type.Object({ title: Type.String(), params: fields })),
  /** Parameters that name the format of a file, by the parameter with its URL. */
  formatOf: Type.Record(Type.String(), Type.String()),
  /** JSON Schema of its parameters. */
  input: fields,
})

/**
 * The capability and the parameters that match a message. Nothing is executed. Parameters are taken from the caller's
 * words and assigned by the schema of the capability; the calling handler checks whether they are complete.
 */
export const propose = port({
  id: 'playground.propose',
  input: Type.Object({
    message: Type.String({ minLength: 1, maxLength: 4_000 }),
    /** The conversation so far, oldest first; `role` is user or assistant. */
    history: or(Type.Array(Type.Record(Type.String(), Type.String()), { maxItems: 50 }), []),
    /**
     * The capabilities as JSON (`offeredIn`), so that a parsed list can be reused: most messages come with the same
     * one.
     */
    capabilities: Type.String(),
    /** Version of `capabilities`; changes whenever they do. */
    version: Type.String(),
  }),
  output: Type.Object({
    /** Id; null when no capability matches. */
    capability: nullable(Type.String()),
    params: fields,
    /** Ids of other possible capabilities, most likely first. */
    alternatives: Type.Array(Type.String()),
  }),
})

export type Offered = Static<typeof offered>
export type Question = Static<typeof propose.input>
export type Proposal = Static<typeof propose.output>

const list = new SchemaCompiler().compile(Type.Array(offered))

/** Parses the capabilities of a question. Throws TypeError for JSON of another shape. */
export function offeredIn({ capabilities }: Pick<Question, 'capabilities'>): readonly Offered[] {
  const given = foreignJson(capabilities)
  if (list.check(given)) return given
  throw new TypeError(`not a list of capabilities: ${list.explain()}`)
}
