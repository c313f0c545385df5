import type { CallerSchema } from './caller-schema.js'
import type { Static, TSchema } from './schema.js'
import type { ScratchFile } from './scratch.js'

/** What pictures and documents a model may be shown. */
export const MODEL_FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const
export type ModelFileType = (typeof MODEL_FILE_TYPES)[number]

/** Bounds of the files of one question, in bytes: those of the narrowest vendor, whose requests may have 20 MB in Base64. */
export const MODEL_FILE_LIMITS = { files: 20, picture: 3_750_000, document: 14_000_000, together: 14_000_000 } as const

/** A picture or document that a question is about. */
export interface ModelFile {
  readonly file: ScratchFile
  readonly content_type: ModelFileType
}

/** A question to a language model. */
export interface TextPrompt {
  readonly prompt: string
  readonly system?: string
  /** Upper bound of the answer in tokens, default 1,024. */
  readonly maxTokens?: number
  /** A text that the prompt is about. Alone of all parts it is cut when the model's context has no room for it. */
  readonly document?: string
  /** What of a document that is cut stays: its beginning (default), or two thirds from its beginning and one from its end. */
  readonly keep?: 'start' | 'ends'
  /** Pictures and PDF of this call. Where no live model takes PDF, its pages are shown as pictures if something here can make them. */
  readonly files?: readonly ModelFile[]
  /** Ask the model of this vendor alone. */
  readonly only?: string
}

/** An answer of a language model. */
export interface ModelAnswer<T> {
  readonly data: T
  /** The document was longer than the model's context, and the model saw a part of it. The caller is told in `metadata.notes`. */
  readonly truncated: boolean
}

/** Whatever language model is configured. Answers are data: checked, never executed. Faults as those of a port. */
export interface LanguageModel {
  /** True when a model is configured. */
  readonly live: boolean
  /** True when a live model takes pictures. */
  readonly sees: boolean
  /** True when a live model, or the one of this vendor, takes files of this type as they are. */
  takes(type: ModelFileType, only?: string): boolean
  text(prompt: TextPrompt): Promise<string>
  /** The answer as JSON that was validated against the shape, repaired once if it did not fit; a `broken` Fault if it still does not. */
  json<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<Static<S>>
  /** As `text` and `json`, and says whether the document was cut. */
  ask(prompt: TextPrompt): Promise<ModelAnswer<string>>
  ask<S extends TSchema>(prompt: TextPrompt, shape: S): Promise<ModelAnswer<Static<S>>>
  /** The answer as JSON that fits a caller's schema (`callerSchema`), repaired once if it did not; a `broken` Fault if it still does not. */
  jsonFor(prompt: TextPrompt, schema: CallerSchema): Promise<ModelAnswer<unknown>>
}
