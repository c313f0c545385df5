/** What a piece of a document is, as notes name it. */
export const KINDS = ['cells', 'items', 'notes', 'comments', 'margins', 'speaking', 'rows', 'paragraphs'] as const
export type Kind = (typeof KINDS)[number]

/** A paragraph, cell, list item or the like, with all of its text. */
export interface Block {
  readonly kind: Kind
  readonly text: string
}

/** What a file holds that a conversion may lose. */
export interface Content {
  readonly blocks: Block[]
  /** Pictures inside the file, as often as they are shown; null where they are not counted. */
  pictures: number | null
  /** Names of the sheets of a workbook behind its first one that have something in a cell. */
  readonly sheets: string[]
  /** Marks that may leave a page empty, such as page breaks; Infinity where they are not counted. */
  breaks: number
}

export function nothing(): Content {
  return { blocks: [], pictures: 0, sheets: [], breaks: 0 }
}

/** Runs of letters of one word. Chinese and Japanese have no blanks: each of their letters is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu
/** Soft hyphens and letters without width, and what divides a word at the end of a line. */
const WITHIN_WORDS = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Words of a text in the order of the text, in lower case and compatibility letters (Unicode NFKC). */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').replace(WITHIN_WORDS, '').toLowerCase().match(WORD) ?? []
}
