import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type WorkPart } from '../../core/sdk/index.js'
import { formats } from './list.js'
import { normalised } from './formats/find.js'
import { KINDS } from './losses/parse/content.js'
import { violations } from './violations.js'

const FORMAT = { minLength: 1, maxLength: 40 }

/** One step of a conversion: a file of the call in a format of the table, made into another one. */
export const convertVendors = port({
  id: 'files.convert',
  input: Type.Object({
    file: scratchFile,
    from: Type.String({ ...FORMAT, description: 'Id of a format (`formats/`); the bytes were checked to be of it.' }),
    to: Type.String({ ...FORMAT, description: 'Id of a format.' }),
    name: Type.String({ maxLength: 200, description: 'Name of the file with its extension, for vendors that ask for one.' }),
  }),
  output: Type.Object({
    /** One, or a file for each page, in order; each was checked to be of the format (`result.ts`). */
    files: Type.Array(scratchFile, { minItems: 1, maxItems: 500 }),
    /** What the vendor charged, in its own unit; 0 for local programs. */
    cost: Type.Number({ minimum: 0 }),
  }),
})

/** What the result of a conversion has less than its source; `losses/` decides what follows. `missing` for a file that is too long to be compared. */
export const convertLosses = port({
  id: 'convert.losses',
  input: Type.Object({
    file: scratchFile,
    from: Type.String(FORMAT),
    to: Type.String(FORMAT),
    results: Type.Array(scratchFile, { maxItems: 500, description: 'None where the result is not compared.' }),
    result: nullable(Type.String({ ...FORMAT, description: 'Format of the results: txt for the text of a PDF.' })),
  }),
  output: Type.Object({
    /** Words of the source, and those of them that are not in the result. */
    words: Type.Integer(),
    missing: Type.Integer(),
    /** Kinds of pieces of which some are missing altogether. */
    kinds: Type.Array(Type.Object({ kind: oneOf(...KINDS, 'pictures'), of: Type.Integer(), missing: Type.Integer() })),
    /** Sheets that a format of one table has no place for. */
    sheets: Type.Array(Type.String()),
    /** Pictures in the source; null where they are not counted. */
    pictures: nullable(Type.Integer()),
    /** Pages that the source may have empty; null where it is not known. */
    breaks: nullable(Type.Integer()),
  }),
})

export const filesConvert = capability({
  id: 'files.convert',
  path: '/v1/files/convert',
  phrases: [
    { say: '* convert format transform export file document spreadsheet presentation ebook' },
    { say: 'convert {file_url} to|into {target_format}' },
    { say: 'convert|change|turn|transform {source_format} to|into {target_format}' },
    { say: 'convert file|document' },
    { say: 'turn|change|transform {file_url} into|to {target_format}' },
    { say: 'change format of {file_url} to|into {target_format}' },
    { say: 'make {target_format} out|of|from {file_url}' },
    { say: 'need|want|get {file_url} as|in {target_format}' },
    { say: '{file_url} to|as|into {target_format}' },
    { say: 'save|export {file_url} as {target_format}' },
  ],
  title: 'Convert a file',
  description:
    'Converts a document, sheet, presentation, picture, e-book, sound, film or archive at an address into another format, by default PDF. ' +
    'GET /v1/files/formats lists the formats and what each can become. The bytes of the source must be what source_format says. ' +
    'Macros and links in documents are off. Pages that become pictures come as one ZIP archive, which file_name says. ' +
    'The result lies under a link that expires. A file that cannot be converted costs nothing.',
  input: Type.Object({
    file_url: Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the file, public or a link of this gateway.' }),
    source_format: Type.String({ ...FORMAT, description: 'Format of the file, such as docx, xlsx, png, mp3 or epub.' }),
    target_format: or(Type.String({ ...FORMAT, description: 'Format to make of it.' }), 'pdf'),
  }),
  output: Type.Object({
    file_name: Type.String({ description: 'Name of the source with the new extension; .zip when it became several files.' }),
    file_size: Type.Integer({ minimum: 1, description: 'Bytes.' }),
    file_url: Type.String({ description: 'Where the result can be downloaded until the link expires.' }),
    conversion_cost: Type.Number({
      minimum: 0,
      description: 'What the vendor charged, in its own unit; 0 when it was converted on this machine.',
    }),
    source_format: Type.String({ description: 'As it was read: aliases such as jpg become jpeg.' }),
    target_format: Type.String({ description: 'What was made, in the same way.' }),
  }),
  price: flat(2),
  timeoutMs: 120_000,
  work: 'media',
  vendors: convertVendors,
  parts: [
    part('documents', 'docx', 'pdf'),
    part('pictures', 'png', 'webp'),
    part('sound and film', 'wav', 'mp3'),
    part('e-books', 'epub', 'mobi'),
    part('archives', 'zip', 'tar'),
  ],
  formatOf: { source_format: 'file_url' },
  normalise: normalised,
  check: violations,
  lists: { formats },
  examples: [
    { title: 'A Word document as PDF', params: { file_url: 'https://example.com/report.docx', source_format: 'docx' } },
    { title: 'A picture as WebP', params: { file_url: 'https://example.com/photo.png', source_format: 'png', target_format: 'webp' } },
    { title: 'A recording as MP3', params: { file_url: 'https://example.com/talk.wav', source_format: 'wav', target_format: 'mp3' } },
  ],
})

/** A kind of file, by an ordinary conversion of it. */
function part(title: string, from: string, to: string): WorkPart {
  const params = { file_url: `https://example.com/file.${from}`, source_format: from, target_format: to }
  return { title, params, vendorInput: { file: { id: 'file', size: 1 }, from, to, name: `file.${from}` } }
}
