import type { InvoiceRecord } from '../record.js'

/** A word and its position: points from the upper left corner of its page. */
export interface Word {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly line: number
  readonly block: number
  /** 0 to 1 for recognised words. */
  readonly confidence?: number
}

export interface Page {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly words: readonly Word[]
}

export const LANGUAGES = [
  ...(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'no', 'da', 'fi', 'cs', 'sk', 'hu', 'ro', 'tr', 'el', 'uk', 'ja'] as const),
] as const
export type Language = (typeof LANGUAGES)[number]

/** The data read from an invoice: the port's record without fields that only other vendors have. */
export type Invoice = Omit<InvoiceRecord, 'exact'>

/** A position. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A word of a row; `at` is its index in the row. */
export interface Token extends Box {
  readonly text: string
  /** Lower case without diacritics, letters and digits only. */
  readonly folded: string
}

/** Text on one line across the full width of a page. */
export interface Row extends Box {
  readonly page: number
  readonly tokens: readonly Token[]
  /** Height of its letters. */
  readonly size: number
}
