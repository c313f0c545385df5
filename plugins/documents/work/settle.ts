import { isRecord } from '../../../core/sdk/json.js'
import { Cleaning } from './cleaning.js'
import { completed, hasValue } from './complete.js'
import { Merge } from './merge.js'
import { SchemaPlaces } from './schema-places.js'
import { SourceWords } from './source-words.js'

export interface SettleInput {
  /** A model's answers for the parts of a source. */
  readonly answers: readonly unknown[]
  /** Null when there is only a prompt. */
  readonly schema: Readonly<Record<string, unknown>> | null
  /** The text sent to the model. */
  readonly source: string
  readonly url: string | null
  readonly prompt: string | null
}

export interface Settled {
  readonly extracted: Readonly<Record<string, unknown>>
  /** Places whose text is not in the source, as JSON pointers. */
  readonly struck: readonly string[]
  /** Positions at which parts of the source have different values. */
  readonly conflicts: readonly string[]
  /** Nothing was found. */
  readonly empty: boolean
}

/** Merges the answers for the parts of a source, limited to what the schema names and the source contains. */
function settled({ answers, schema, source, url, prompt }: SettleInput): Settled {
  const places = new SchemaPlaces(schema ?? {})
  const cleaning = new Cleaning(places, new SourceWords(source, url), prompt)
  const merge = new Merge()
  const merged = merge.all(answers.map((answer) => cleaning.cleaned(isRecord(answer) ? answer : {})))
  const extracted = completed(isRecord(merged) ? merged : {}, places)
  return { extracted, struck: cleaning.struck, conflicts: merge.conflicts, empty: !hasValue(extracted) }
}

export default settled
