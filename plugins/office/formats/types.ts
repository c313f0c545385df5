import type { Sheets } from '../parse/scan.js'

/** How LibreOffice reads a format. */
export interface Reading {
  /** Its name of the import filter: without one it would open a file as whatever it looks like. */
  readonly filter: string
  readonly container: 'zip' | 'ole' | 'rtf' | 'pdf' | null
  /** Stands in every archive of its kind: LibreOffice takes another archive for an empty one. */
  readonly holds?: string
  /** Text, of which the encoding, and of a table the separator, is detected and passed to the filter. */
  readonly plain?: 'text' | 'table'
  /** How its cells are written, of a sheet whose extent is looked at. */
  readonly cells?: Sheets
  /** Of the name that the file has in the sandbox, where it is not the format's own. */
  readonly extension?: string
}

/** How it writes one. */
export interface Writing {
  /** Its name of the export filter, with options. */
  readonly filter: string
  readonly extension?: string
  /** Of sheets, where every cell up to the last row and column is written: how many at most. */
  readonly mostCells?: number
  /** Of a PDF source, the filter that reads it for this target. */
  readonly reading?: string
}

/** Formats that are opened alike, and what can be made of each of them. */
export interface Group {
  readonly sources: Readonly<Record<string, Reading>>
  readonly targets: Readonly<Record<string, Writing>>
  /** Sheets are made to fit the width of a page. */
  readonly sheets?: true
}
