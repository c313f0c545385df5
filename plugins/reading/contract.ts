import { nullable, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { MODEL_FILE_LIMITS } from '../llm/contract.js'

/** `text` is plain text of any kind, JSON and XML too; `csv` also has other delimiters; `mail` is a message of RFC 5322. */
export const FORMATS = [
  ...(['pdf', 'docx', 'xlsx', 'xls', 'ods', 'pptx', 'odt', 'odp'] as const),
  ...(['epub', 'html', 'mail', 'markdown', 'csv', 'text'] as const),
] as const

/** Lengths are in points (1/72 inch) from the upper left corner of the page as it is seen. */
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
  /** BCP 47, as the file itself says. */
  language: nullable(Type.String()),
  metadata: Type.Object({
    /** Of a message, its sender. */
    author: nullable(Type.String()),
    subject: nullable(Type.String()),
    keywords: nullable(Type.String()),
    description: nullable(Type.String()),
    /** ISO 8601; of a message, its date. */
    created: nullable(Type.String()),
    modified: nullable(Type.String()),
    /** The program that made the file. */
    producer: nullable(Type.String()),
  }),
  /** Pages of a PDF, slides, sheets or chapters, all there are; null for what has none. */
  pages: nullable(Type.Integer()),
  /** Pages of a PDF that were read and have no text. */
  pages_without_text: Type.Array(Type.Integer()),
  /** No page that was read has text, as in a scan: `ocr.read` may find some. */
  needs_ocr: Type.Boolean(),
  /** Those of them that draw text, in letters that could not be read; the others have pictures alone, or nothing. */
  unread_pages: Type.Array(Type.Integer()),
  /** Markdown in reading order, empty when there is no text. */
  text: Type.String(),
  /** Wanted as `html`: the body, not cleaned; null where the format has no structure of its own (PDF, plain text). */
  html: nullable(Type.String()),
  /** Wanted as `tables`: sheets and CSV. */
  tables: Type.Array(Type.Object({ name: nullable(Type.String()), rows: Type.Array(Type.Array(Type.String())) })),
  /** Wanted as `positions`: the words of a PDF; null for other formats. A word inside a longer run of text is placed by the usual widths of letters. */
  positions: nullable(Type.Array(Type.Object({ ...page, words: Type.Array(Type.Object(word)) }))),
  /** Wanted as `attachments`: files in a PDF or a message; `file` is null for one that is too large to be taken out. */
  attachments: Type.Array(
    Type.Object({ name: Type.String(), content_type: nullable(Type.String()), size: Type.Integer(), file: nullable(scratchFile) }),
  ),
  /** Web addresses that the file links to, each once. */
  links: Type.Array(Type.String()),
  /** Something was left out for a limit; `notes` says what. */
  truncated: Type.Boolean(),
  /** Sentences for the caller. */
  notes: Type.Array(Type.String()),
})

/**
 * Text, structure and metadata of a document. A file that is broken, encrypted, something else, or beyond a limit is an `invalid` Fault, one of a
 * format that needs conversion first (doc, ppt, rtf) `missing`.
 */
export const documentRead = port({
  id: 'document.read',
  input: Type.Object({
    file: scratchFile,
    format: or(nullable({ ...oneOf(...FORMATS), description: 'What the file must be; null to find out.' }), null),
    content_type: or(nullable(Type.String({ maxLength: 300, description: 'Media type that came with the file, a hint.' })), null),
    name: or(nullable(Type.String({ maxLength: 1000, description: 'Name of the file, a hint.' })), null),
    want: or(
      Type.Array(oneOf('html', 'tables', 'positions', 'attachments'), { maxItems: 4, description: 'What is given beside the text.' }),
      [],
    ),
    first_page: or(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Where to begin in a PDF.' }), 1),
    max_pages: or(Type.Integer({ minimum: 1, maximum: 500, description: 'Pages of a PDF that are read at most.' }), 200),
  }),
  output: read,
})

/**
 * Text of pictures (png, jpeg, tiff, webp, gif) and of the pages of a PDF, by recognition. `invalid` for a file that is none of these, `missing` when
 * there is nothing readable or a language is not installed.
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
          description: 'ISO 639-2 codes as tesseract names them, the likeliest first; null for those of the setting.',
        }),
      ),
      null,
    ),
    dpi: or(
      nullable(Type.Integer({ minimum: 50, maximum: 1200, description: 'Pixels an inch of a picture; null for what it says itself.' })),
      null,
    ),
    leave_ms: or(
      Type.Integer({
        minimum: 0,
        maximum: 600_000,
        description: 'Milliseconds of the time of the call that are left for other work: then pages that are not read are left out.',
      }),
      0,
    ),
  }),
  output: Type.Object({
    pages: Type.Array(
      Type.Object({
        ...page,
        /** Pixels an inch by which points were counted. */
        dpi: Type.Integer(),
        /** Degrees clockwise by which the page was turned to be upright: 0, 90, 180 or 270. Places are on the page so turned. */
        rotation: Type.Integer(),
        /** Degrees clockwise by which the page was straightened besides. */
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
    /** Pages of the file, all there are. */
    page_count: Type.Integer(),
    text: Type.String(),
    /** Mean of the words, 0 to 1, by their length. */
    confidence: Type.Number(),
    languages: Type.Array(Type.String()),
    /** Pages were left out for want of time or for a limit; `notes` says which. */
    truncated: Type.Boolean(),
    notes: Type.Array(Type.String()),
  }),
})

/** Pictures of the pages of a PDF, the first `most`, for models that take pictures and no PDF. */
export const documentPages = port({
  id: 'document.pages',
  input: Type.Object({
    file: scratchFile,
    most: or(Type.Integer({ minimum: 1, maximum: MODEL_FILE_LIMITS.files }), MODEL_FILE_LIMITS.files),
  }),
  output: Type.Object({
    pages: Type.Array(Type.Object({ file: scratchFile, content_type: oneOf('image/png', 'image/jpeg', 'image/webp') })),
    /** Pages of the whole document. */
    total: Type.Integer({ minimum: 0 }),
  }),
})

export type Format = (typeof FORMATS)[number]
export type DocumentRead = Static<typeof read>
export type Metadata = DocumentRead['metadata']
export type OcrPage = Static<typeof ocrRead.output>['pages'][number]
export type OcrWord = OcrPage['words'][number]
