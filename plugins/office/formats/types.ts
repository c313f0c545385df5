import type { Sheets } from '../parse/scan.js'

/** LibreOffice's settings for reading a format. */
export interface Reading {
  /** Its import filter: without one it would detect the type of the file itself. */
  readonly filter: string
  readonly container: 'zip' | 'ole' | 'rtf' | 'pdf' | null
  /** Occurs in every archive of this kind: LibreOffice reads other archives as empty. */
  readonly holds?: string
  /** Text whose encoding (and separator, for a table) is detected and passed to the filter. */
  readonly plain?: 'text' | 'table'
  /** Cell notation of a sheet whose extent is checked. */
  readonly cells?: Sheets
  /** File extension in the sandbox, if not the format's own. */
  readonly extension?: string
}

/** Settings for writing one. */
export interface Writing {
  /** Its export filter, with options. */
  readonly filter: string
  readonly extension?: string
  /** Maximum cells of sheets, for targets that contain every cell up to the last row and column. */
  readonly mostCells?: number
  /** For a PDF source, the import filter for this target. */
  readonly reading?: string
}

/** Formats that are opened in the same way, and their targets. */
export interface Group {
  readonly sources: Readonly<Record<string, Reading>>
  readonly targets: Readonly<Record<string, Writing>>
  /** Sheets are scaled to the page width. */
  readonly sheets?: true
}
