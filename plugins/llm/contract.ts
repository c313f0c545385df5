import { nullable, oneOf, or, port, scratchFile, Type } from '../../core/sdk/index.js'

/** Pictures and documents that a model may be shown. */
export const MODEL_FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const
export type ModelFileType = (typeof MODEL_FILE_TYPES)[number]

/** Bounds of the files of one question, in bytes: those of the narrowest vendor, whose requests may have 20 MB in Base64. */
export const MODEL_FILE_LIMITS = { files: 20, picture: 3_750_000, document: 14_000_000, together: 14_000_000 } as const

const file = Type.Object({ file: scratchFile, content_type: oneOf(...MODEL_FILE_TYPES) })

/** The model port: one question, one answer, as text or as JSON of a wanted shape. Answers are data, never executed. */
export const chat = port({
  id: 'llm.chat',
  input: Type.Object({
    system: or(nullable(Type.String()), null),
    prompt: Type.String({ minLength: 1 }),
    /** Text that the prompt is about, cut to what the model's context has room for. */
    document: or(nullable(Type.String()), null),
    /** What remains of a document that is cut: its beginning, or two thirds from its beginning and one from its end. */
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
