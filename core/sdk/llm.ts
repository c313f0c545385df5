import { port } from './contribution.js'
import { MODEL_FILE_LIMITS, MODEL_FILE_TYPES } from './language-model.js'
import { nullable, oneOf, or, Type } from './schema.js'
import { scratchFile } from './scratch.js'

const file = Type.Object({ file: scratchFile, content_type: oneOf(...MODEL_FILE_TYPES) })

/** The model port: one question, one answer, as text or as JSON of a wanted shape. Answers are data, never executed. */
export const chat = port({
  id: 'llm.chat',
  input: Type.Object({
    system: or(nullable(Type.String()), null),
    prompt: Type.String({ minLength: 1 }),
    /** Text that the prompt is about, cut to what the model's context has room for. */
    document: or(nullable(Type.String()), null),
    /** What stays of a document that is cut. */
    keep: or(oneOf('start', 'ends'), 'start'),
    files: or(Type.Array(file, { maxItems: MODEL_FILE_LIMITS.files }), []),
    max_tokens: or(Type.Integer({ minimum: 1, maximum: 64_000 }), 1024),
    /** JSON Schema of the wanted answer; null for text. */
    schema: or(nullable(Type.Record(Type.String(), Type.Unknown())), null),
  }),
  output: Type.Object({
    text: Type.String(),
    /** The parsed answer when a schema was given; not yet validated against it. */
    object: Type.Unknown(),
    /** The model saw a part of the document. */
    truncated: or(Type.Boolean(), false),
  }),
})

/** Pictures of the pages of a PDF, the first `most`. For models that take pictures alone; whoever reads documents may serve it. */
export const documentPages = port({
  id: 'document.pages',
  input: Type.Object({
    file: scratchFile,
    most: or(Type.Integer({ minimum: 1, maximum: MODEL_FILE_LIMITS.files }), MODEL_FILE_LIMITS.files),
  }),
  output: Type.Object({
    pages: Type.Array(Type.Object({ file: scratchFile, content_type: oneOf('image/png', 'image/jpeg', 'image/webp') })),
    /** Pages of the whole document. */
    total: Type.Integer({ minimum: 0 }),
  }),
})
