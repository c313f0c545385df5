import { amountsOf, decimalIn, type Amount, type Decimal } from './amount.js'
import { COLUMNS, type Column } from './lexicon/headers.js'
import { FIELDS, type Field } from './lexicon/labels.js'
import { VOCABULARIES } from './lexicon/vocabulary.js'
import { datesOf, type Dated } from './date.js'
import { folded as fold } from './fold.js'
import { Lexicon, type Match } from './lexicon.js'
import { rowsOf, segmentsOf } from './rows.js'
import { LANGUAGES, type Language, type Page, type Row } from './types.js'

const MAX_ROWS = 3_000
/** A phrase has no gaps wider than this many heights of its letters. */
const PHRASE_GAP = 0.9

/** A row and what was found in it. */
export interface Read {
  readonly at: number
  readonly row: Row
  readonly segments: readonly Row[]
  readonly labels: readonly Match<Field>[]
  readonly headers: readonly Match<Column>[]
  readonly amounts: readonly Amount[]
  readonly dates: readonly Dated[]
}

/** A document, and what its wording says as a whole. */
export interface Paper {
  readonly pages: readonly Page[]
  readonly rows: readonly Read[]
  readonly columns: Lexicon<Column>
  readonly language: Language | null
  readonly decimal: Decimal | null
  /** It was recognised, so that letters may be wrong. */
  readonly recognised: boolean
}

export function paperOf(pages: readonly Page[]): Paper {
  const recognised = pages.some(({ words }) => words.some(({ confidence }) => confidence !== undefined))
  const labels = new Lexicon((language) => VOCABULARIES[language].labels, FIELDS, recognised)
  const columns = new Lexicon((language) => VOCABULARIES[language].headings, COLUMNS, recognised)
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
      labels: labels.matches(row.tokens, gap),
      headers: columns.matches(row.tokens, gap),
      amounts,
      dates,
    }
  })
  return { pages, rows: read, columns, language: languageOf(read), decimal, recognised }
}

/** By its labels, the longer the surer, and its frequent words. */
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
