import { port } from './contribution.js'
import { nullable, or, Type } from './schema.js'

/** The model port: one question, one answer, as text or as JSON of a wanted shape. Answers are data, never executed. */
export const chat = port({
  id: 'llm.chat',
  input: Type.Object({
    system: or(nullable(Type.String()), null),
    prompt: Type.String({ minLength: 1 }),
    max_tokens: or(Type.Integer({ minimum: 1, maximum: 64_000 }), 1024),
    /** JSON Schema of the wanted answer; null for text. */
    schema: or(nullable(Type.Record(Type.String(), Type.Unknown())), null),
  }),
  output: Type.Object({
    text: Type.String(),
    /** The parsed answer when a schema was given; not yet validated against it. */
    object: Type.Unknown(),
  }),
})
