import type { ExtractQuestion } from '../contract.js'

/** A source that was read once for all vendors. */
export interface Source {
  readonly text: string
  readonly facts: ExtractQuestion['facts']
  readonly tables: ExtractQuestion['tables']
  /** A part of it was not read. */
  readonly truncated: boolean
}
