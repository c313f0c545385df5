import type { Shape } from './shape.js'

/** Formats that are alike: what goes well between two of them is decided by family (`middles.ts`). */
export const FAMILIES = [
  ...(['document', 'page', 'markup', 'sheet', 'slides', 'drawing', 'picture'] as const),
  ...(['ebook', 'audio', 'video', 'subtitle', 'archive', 'data'] as const),
] as const
export type Family = (typeof FAMILIES)[number]

/** A row of the table. Its id is the usual extension, in lower case, and what callers write. */
export interface Format {
  readonly id: string
  readonly title: string
  readonly family: Family
  readonly mime: string
  /** Other names that callers may write, such as jpg for jpeg. */
  readonly aliases?: readonly string[]
  /** Of a result's name, where it is not the id. */
  readonly extension?: string
  /** How its bytes look: asked of every source, and with `ends` of every result. */
  readonly is: Shape
}
