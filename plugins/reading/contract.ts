import { nullable, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { MODEL_FILE_LIMITS } from '../llm/contract.js'

/** `text`: any plain text, including JSON and XML; `csv`: any delimiter; `mail`: an RFC 5322 message. */
export const FORMATS = [
  ...(['pdf', 'docx', 'xlsx', 'xls', 'ods', 'pptx', 'odt', 'odp'] as const),
  ...(['epub', 'html', 'mail', 'markdown', 'csv', 'text'] as const),
] as const

/** In points (1/72 inch) from the top left corner of the page as displayed. */
const place = {
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
}
const word = {
  text: Type.String(),
  ...place,
  /** Number of the line on its page, from 0, in reading order. */
  line: Type.Integer(),
  /** Number of the paragraph, column or cell group on its page, from 0. */
  block: Type.Integer(),
}
const page = {
  /** Number in the file, from 1. */
  page: Type.Integer(),
  /** Points. */
  width: Type.Number(),
  height: Type.Number(),
}

const read = Type.Object({
  format: oneOf(...FORMATS),
  title: nullable(Type.String()),
  /** BCP 47, as the file states it. */
  language: nullable(Type.String()),
  metadata: Type.Object({
    /** For a message, its sender. */
    author: nullable(Type.String()),
    subject: nullable(Type.String()),
    keywords: nullable(Type.String()),
    description: nullable(Type.String()),
    /** ISO 8601; for a message, its date. */
    created: nullable(Type.String()),
    modified: nullable(Type.String()),
    /** The program that created the file. */
    producer: nullable(Type.String()),
  }),
  /** Number of pages of a PDF, slides, sheets or chapters; null for other formats. */
  pages: nullable(Type.Integer()),
  /** Pages of a PDF that were read but have no text. */
  pages_without_text: Type.Array(Type.Integer()),
  /** No page that was read has text, as in a scan; `ocr.read` may recognise some. */
  needs_ocr: Type.Boolean(),
  /** Pages among `pages_without_text` whose text could not be decoded; the others contain only images, or nothing. */
  unread_pages: Type.Array(Type.Integer()),
  /** Markdown in reading order; empty when there is no text. */
  text: Type.String(),
  /** For `want: html`: the uncleaned body; null if the format has no structure (PDF, plain text). */
  html: nullable(Type.String()),
  /** For `want: tables`: sheets and CSV. */
  tables: Type.Array(Type.Object({ name: nullable(Type.String()), rows: Type.Array(Type.Array(Type.String())) })),
  /**
   * For `want: positions`: words of a PDF; null for other formats. Words within one text run are placed by typical
   * letter widths.
   */
  positions: nullable(Type.Array(Type.Object({ ...page, words: Type.Array(Type.Object(word)) }))),
  /** For `want: attachments`: files in a PDF or a message; `file` is null if it is too large to extract. */
  attachments: Type.Array(
    Type.Object({ name: Type.String(), content_type: nullable(Type.String()), size: Type.Integer(), file: nullable(scratchFile) }),
  ),
  /** URLs that the file links to, without duplicates. */
  links: Type.Array(Type.String()),
  /** Content was left out because of a limit; `notes` says what. */
  truncated: Type.Boolean(),
  /** Remarks for the caller. */
  notes: Type.Array(Type.String()),
})

/**
 * Text, structure and metadata of a document. A file that is damaged, encrypted, of another format or over a limit is
 * an `invalid` Fault; one of a format that must be converted first (doc, ppt, rtf) is `missing`.
 */
export const documentRead = port({
  id: 'document.read',
  input: Type.Object({
    file: scratchFile,
    format: or(nullable({ ...oneOf(...FORMATS), description: 'Required format of the file; null to detect it.' }), null),
    content_type: or(nullable(Type.String({ maxLength: 300, description: 'MIME type sent with the file, as a hint.' })), null),
    name: or(nullable(Type.String({ maxLength: 1000, description: 'Name of the file, as a hint.' })), null),
    want: or(
      Type.Array(oneOf('html', 'tables', 'positions', 'attachments'), {
        maxItems: 4,
        description: 'What to return in addition to the text.',
      }),
      [],
    ),
    first_page: or(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'First page of a PDF to read.' }), 1),
    max_pages: or(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of pages of a PDF to read.' }), 200),
  }),
  output: read,
})

/**
 * Text of images (png, jpeg, tiff, webp, gif) and PDF pages, by OCR. `invalid` for a file of another format, `missing`
 * if there is no readable text or a language is not installed.
 */
export const ocrRead = port({
  id: 'ocr.read',
  input: Type.Object({
    file: scratchFile,
    pages: or(
      nullable(
        Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Pages of a PDF or TIFF; null for the first 20.',
        }),
      ),
      null,
    ),
    languages: or(
      nullable(
        Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]{2,10})*$' }), {
          minItems: 1,
          maxItems: 5,
          description: 'ISO 639-2 codes as Tesseract names them, most likely first; null for those of the setting.',
        }),
      ),
      null,
    ),
    dpi: or(
      nullable(
        Type.Integer({
          minimum: 50,
          maximum: 1200,
          description: 'Resolution of an image in pixels per inch; null for the one that it states.',
        }),
      ),
      null,
    ),
    leave_ms: or(
      Type.Integer({
        minimum: 0,
        maximum: 600_000,
        description: 'Milliseconds of the time of the call to reserve for other work; pages not read by then are left out.',
      }),
      0,
    ),
  }),
  output: Type.Object({
    pages: Type.Array(
      Type.Object({
        ...page,
        /** Resolution in pixels per inch from which points were calculated. */
        dpi: Type.Integer(),
        /**
         * Clockwise rotation in degrees applied to make the page upright: 0, 90, 180 or 270. Positions refer to the
         * rotated page.
         */
        rotation: Type.Integer(),
        /** Further clockwise rotation in degrees applied to correct skew. */
        skew: Type.Number(),
        words: Type.Array(
          Type.Object({
            ...word,
            /** 0 to 1. */
            confidence: Type.Number(),
          }),
        ),
        text: Type.String(),
      }),
    ),
    /** Number of pages of the file. */
    page_count: Type.Integer(),
    text: Type.String(),
    /** Mean confidence of the words, 0 to 1, weighted by length. */
    confidence: Type.Number(),
    languages: Type.Array(Type.String()),
    /** Pages were left out because of the time or a limit; `notes` says which. */
    truncated: Type.Boolean(),
    notes: Type.Array(Type.String()),
  }),
})

/** Images of the first `most` pages of a PDF, for models that accept images but not PDF. */
export const documentPages = port({
  id: 'document.pages',
  input: Type.Object({
    file: scratchFile,
    most: or(Type.Integer({ minimum: 1, maximum: MODEL_FILE_LIMITS.files }), MODEL_FILE_LIMITS.files),
  }),
  output: Type.Object({
    pages: Type.Array(Type.Object({ file: scratchFile, content_type: oneOf('image/png', 'image/jpeg', 'image/webp') })),
    /** Number of pages of the whole document. */
    total: Type.Integer({ minimum: 0 }),
  }),
})

export type Format = (typeof FORMATS)[number]
export type DocumentRead = Static<typeof read>
export type Metadata = DocumentRead['metadata']
export type OcrPage = Static<typeof ocrRead.output>['pages'][number]
export type OcrWord = OcrPage['words'][number]
