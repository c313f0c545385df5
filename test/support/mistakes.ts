/** One mistake that a newcomer makes. */
export interface Mistake {
  /** The command, setting or route it is made with. */
  readonly of: string
  /** What the newcomer typed, set or sent, as one line. */
  readonly tried: string
  /** What the answer has to say: the field or setting to change, and a remedy where there is one. */
  readonly says: readonly (string | RegExp)[]
}

/** The same with its answer. */
export interface Answered extends Mistake {
  /** Exit code or HTTP status. */
  readonly code: number
  /** What the newcomer sees of it. */
  readonly answer: string
}

/** Every so many of a table is made by `npm test`. */
const EACH = 4

/** What is made of a table: all by the suite of the commands (`npm run test:long`), else some from everywhere in it. */
export function some<T>(table: readonly T[]): readonly T[] {
  return process.env['CAPSTAN_TEST_LONG'] === 'all' ? table : table.filter((_, at) => at % EACH === 0)
}

const NEVER: readonly (readonly [RegExp, string])[] = [
  [/^\s+at .*\(?.*:\d+:\d+\)?$/m, 'holds a stack'],
  [/error: error:/i, 'says error twice'],
  [/\bundefined\b|\[object \w+\]|\bNaN\b/, 'holds a value of JavaScript instead of words'],
  [/\bmust match pattern\b|\bmust NOT\b|\binstancePath\b/, 'speaks in the words of the validator'],
  [/\b(?:TypeError|ReferenceError|SyntaxError|E[A-Z]{4,}): /, 'holds the name of an internal error'],
]
const MOST_LINES = 12

/** What is wrong with an answer, in words; empty when it helps. */
export function complaintsAbout({ of, tried, says, answer }: Answered): string[] {
  const about = (text: string): string => `${of}, tried ${tried}: ${text}: ${answer.slice(0, 500)}`
  const missing = says.filter((wanted) => (typeof wanted === 'string' ? !answer.includes(wanted) : !wanted.test(answer)))
  return [
    ...(answer.trim() === '' ? [about('says nothing')] : []),
    ...NEVER.filter(([pattern]) => pattern.test(answer)).map(([, text]) => about(text)),
    ...missing.map((wanted) => about(`does not say ${String(wanted)}`)),
    ...(answer.trim().split('\n').length > MOST_LINES ? [about(`takes more than ${MOST_LINES} lines`)] : []),
  ]
}

/** The rows as a table in Markdown, in their order. */
export function asTable(rows: readonly Answered[]): string {
  const cell = (text: string): string =>
    text
      .trim()
      .replaceAll('|', '\\|')
      .replaceAll(/\s*\n\s*/g, ' / ')
  const lines = rows.map(({ of, tried, code, answer }) => `| ${[of, tried, String(code), answer].map(cell).join(' | ')} |`)
  return ['| of | mistake | code | answer |', '|---|---|---|---|', ...lines, ''].join('\n')
}
