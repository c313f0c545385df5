import type { Shape } from './shape.js'

/** Groups of similar formats: `middles.ts` chooses intermediate formats by family. */
export const FAMILIES = [
  ...(['document', 'page', 'markup', 'sheet', 'slides', 'drawing', 'picture'] as const),
  ...(['ebook', 'audio', 'video', 'subtitle', 'archive', 'data'] as const),
] as const
export type Family = (typeof FAMILIES)[number]

/** A row of the table. Its id is the usual extension, in lower case, and the name callers use. */
export interface Format {
  readonly id: string
  readonly title: string
  readonly family: Family
  readonly mime: string
  /** Other accepted names, such as jpg for jpeg. */
  readonly aliases?: readonly string[]
  /** File extension of a result, if not the id. */
  readonly extension?: string
  /** Signature of its bytes: checked for every source, and with `ends` for every result. */
  readonly is: Shape
}
