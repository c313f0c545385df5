/** Kinds of blocks, as named in notes. */
export const KINDS = ['cells', 'items', 'notes', 'comments', 'margins', 'speaking', 'rows', 'paragraphs'] as const
export type Kind = (typeof KINDS)[number]

/** A paragraph, cell, list item or the like, with all of its text. */
export interface Block {
  readonly kind: Kind
  readonly text: string
}

/** Content of a file that a conversion may lose. */
export interface Content {
  readonly blocks: Block[]
  /** Pictures in the file, as often as they are shown; null when not counted. */
  pictures: number | null
  /** Names of non-empty sheets of a workbook after the first. */
  readonly sheets: string[]
  /** Marks that may leave a page empty, such as page breaks; Infinity when not counted. */
  breaks: number
}

export function nothing(): Content {
  return { blocks: [], pictures: 0, sheets: [], breaks: 0 }
}

/** Words. Chinese and Japanese have no blanks: each character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu
/** Soft hyphens, zero-width characters, and whatever divides a word at the end of a line. */
const WITHIN_WORDS = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Words of a text in order, in lower case and compatibility form (Unicode NFKC). */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').replace(WITHIN_WORDS, '').toLowerCase().match(WORD) ?? []
}
