type Reader =
  | 'word'
  | 'slides'
  | 'workbook'
  | 'open'
  | 'flat'
  | 'book'
  | 'html'
  | 'fiction'
  | 'docbook'
  | 'markdown'
  | 'rich'
  | 'table'
  | 'text'
  | 'notebook'

/** Text markup. */
const MARKED: readonly string[] = ['rst', 'org', 'textile', 'mediawiki', 'dokuwiki', 'jira', 'muse', 'adoc', 'markua', 'xwiki', 'zimwiki']
/** Readers of the formats whose content is compared. */
const READERS: readonly (readonly [Reader, readonly string[]])[] = [
  ['word', ['docx', 'docm', 'dotx', 'dotm']],
  ['slides', ['pptx', 'pptm', 'ppsx', 'potx', 'potm']],
  ['workbook', ['xlsx', 'xlsm', 'xltx', 'xltm']],
  ['open', ['odt', 'ott', 'ods', 'ots', 'odp', 'otp']],
  ['flat', ['fodt', 'fods', 'fodp']],
  ['book', ['epub', 'epub2']],
  ['html', ['html', 'xhtml']],
  ['fiction', ['fb2']],
  ['docbook', ['docbook']],
  ['markdown', ['md', 'gfm', 'commonmark', 'commonmark-x', 'markdown-mmd', 'markdown-phpextra', 'markdown-strict']],
  ['rich', ['rtf']],
  ['table', ['csv', 'tsv']],
  ['notebook', ['ipynb']],
  ['text', ['txt', ...MARKED]],
]
const BY_FORMAT: ReadonlyMap<string, Reader> = new Map(READERS.flatMap(([reader, ids]) => ids.map((id): [string, Reader] => [id, reader])))

/** Formats compared only as results: in a source their words cannot be distinguished from markup. */
const RESULTS_ALONE: readonly Reader[] = ['rich']
/** Text formats whose words are not compared, since they encode many letters. */
const TYPESET: readonly string[] = ['tex', 'beamer', 'context', 'man', 'ms', 'texi', 'haddock', 'opml', 'tei', 'jats']
/** Formats with a single table. */
const ONE_SHEET: readonly string[] = ['csv', 'tsv', 'dif', 'slk']
const SHEETS: readonly Reader[] = ['workbook', 'table']
const OPEN_SHEETS: readonly string[] = ['ods', 'ots', 'fods']
const TEXTS: readonly Reader[] = ['text', 'table', 'markdown', 'docbook']

/** Null for a format whose content is not compared. */
export function reads(format: string): Reader | null {
  return BY_FORMAT.get(format) ?? null
}

export function comparedSource(format: string): boolean {
  const reader = reads(format)
  return reader !== null && !RESULTS_ALONE.includes(reader) && !MARKED.includes(format)
}

export function comparedResult(format: string): boolean {
  const reader = reads(format)
  return reader !== null && reader !== 'notebook'
}

export function ofOneSheet(format: string): boolean {
  return ONE_SHEET.includes(format)
}

/** Whether cells of a format may repeat others without their text. */
export function isSheet(format: string): boolean {
  const reader = reads(format)
  return (reader !== null && SHEETS.includes(reader)) || OPEN_SHEETS.includes(format)
}

/** Whether cells of a format hold numbers as values, which other formats display in many forms. */
export function holdsNumbers(format: string): boolean {
  return reads(format) === 'workbook' || OPEN_SHEETS.includes(format)
}

/** Whether a format is text and holds pictures only in that form. */
export function isText(format: string): boolean {
  const reader = reads(format)
  return (reader !== null && TEXTS.includes(reader)) || TYPESET.includes(format)
}

/** Whether pictures of a format are in addresses. */
export function holdsAddresses(format: string): boolean {
  const reader = reads(format)
  return reader === 'html' || reader === 'markdown' || reader === 'docbook'
}
