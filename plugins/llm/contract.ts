import { nullable, oneOf, or, port, scratchFile, Type } from '../../core/sdk/index.js'

/** Types of images and documents that a model accepts. */
export const MODEL_FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const
export type ModelFileType = (typeof MODEL_FILE_TYPES)[number]

/**
 * Limits of the files of one request, in bytes: those of the strictest vendor, whose requests may have 20 MB in Base64.
 */
export const MODEL_FILE_LIMITS = { files: 20, picture: 3_750_000, document: 14_000_000, together: 14_000_000 } as const

const file = Type.Object({ file: scratchFile, content_type: oneOf(...MODEL_FILE_TYPES) })

/** The model port: one prompt, one answer, as text or as JSON of a given schema. Answers are data, never executed. */
export const chat = port({
  id: 'llm.chat',
  input: Type.Object({
    system: or(nullable(Type.String()), null),
    prompt: Type.String({ minLength: 1 }),
    /** Text that the prompt is about, truncated to fit the model's context. */
    document: or(nullable(Type.String()), null),
    /** What is kept of a truncated document: its start, or two thirds from its start and one third from its end. */
    keep: or(oneOf('start', 'ends'), 'start'),
    files: or(Type.Array(file, { maxItems: MODEL_FILE_LIMITS.files }), []),
    max_tokens: or(Type.Integer({ minimum: 1, maximum: 64_000 }), 1024),
    /** JSON Schema of the answer; null for text. */
    schema: or(nullable(Type.Record(Type.String(), Type.Unknown())), null),
  }),
  output: Type.Object({
    text: Type.String(),
    /** The parsed answer when a schema was given; not yet validated against it. */
    object: Type.Unknown(),
    /** The model received only part of the document. */
    truncated: or(Type.Boolean(), false),
  }),
})
