import { amountsOf, decimalIn, type Amount, type Decimal } from './amount.js'
import { COLUMNS, type Column } from './lexicon/headers.js'
import { FIELDS, type Field } from './lexicon/labels.js'
import { VOCABULARIES } from './lexicon/vocabulary.js'
import { datesOf, type Dated } from './date.js'
import { folded as fold } from './fold.js'
import { Lexicon, type Match } from './lexicon.js'
import { rowsOf, segmentsOf } from './rows.js'
import { LANGUAGES, type Language, type Page, type Row } from './types.js'

/** Built once: building it would take half the time of reading a text. */
const LABELS = new Lexicon((language) => VOCABULARIES[language].labels, FIELDS)
export const HEADINGS = new Lexicon((language) => VOCABULARIES[language].headings, COLUMNS)
const MAX_ROWS = 3_000
/** Maximum gap within a phrase, in letter heights. */
const PHRASE_GAP = 0.9

/** A row and its recognised content. */
export interface Read {
  readonly at: number
  readonly row: Row
  readonly segments: readonly Row[]
  readonly labels: readonly Match<Field>[]
  readonly headers: readonly Match<Column>[]
  readonly amounts: readonly Amount[]
  readonly dates: readonly Dated[]
}

/** A document, and properties of its text as a whole. */
export interface Paper {
  readonly pages: readonly Page[]
  readonly rows: readonly Read[]
  readonly language: Language | null
  readonly decimal: Decimal | null
  /** The text comes from recognition and may have wrong letters. */
  readonly recognised: boolean
}

export function paperOf(pages: readonly Page[]): Paper {
  const recognised = pages.some(({ words }) => words.some(({ confidence }) => confidence !== undefined))
  const rows = pages.flatMap(rowsOf).slice(0, MAX_ROWS)
  const decimal = decimalIn(rows.flatMap(({ tokens }) => tokens.map(({ text }) => text)))
  const read = rows.map((row, at): Read => {
    const gap = PHRASE_GAP * row.size
    const dates = datesOf(row)
    const amounts = amountsOf(row, decimal).filter(({ from, to }) => !dates.some((date) => date.from < to && from < date.to))
    return {
      at,
      row,
      segments: segmentsOf(row),
      labels: LABELS.matches(row.tokens, gap, recognised),
      headers: HEADINGS.matches(row.tokens, gap, recognised),
      amounts,
      dates,
    }
  })
  return { pages, rows: read, language: languageOf(read), decimal, recognised }
}

/** By its labels, weighted by length, and its frequent words. */
function languageOf(rows: readonly Read[]): Language | null {
  const scores = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]))
  const add = (language: Language, score: number): void => void scores.set(language, (scores.get(language) ?? 0) + score)
  const common = new Map<string, Language[]>()
  for (const language of LANGUAGES)
    for (const word of VOCABULARIES[language].common.split('|').map(fold)) common.set(word, [...(common.get(word) ?? []), language])
  for (const { row, labels, headers } of rows) {
    for (const { meaning, length } of [...labels, ...headers]) {
      const languages = new Set([...meaning.values()].flatMap((each) => [...each]))
      for (const language of languages) add(language, length / languages.size / 4)
    }
    for (const { folded } of row.tokens) {
      const languages = common.get(folded)
      for (const language of languages ?? []) add(language, 1 / (languages?.length ?? 1))
    }
  }
  const [best] = [...scores].sort((one, two) => two[1] - one[1])
  return best === undefined || best[1] === 0 ? null : best[0]
}
