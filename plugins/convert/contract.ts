import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type WorkPart } from '../../core/sdk/index.js'
import { formats } from './list.js'
import { normalised } from './formats/find.js'
import { KINDS } from './losses/parse/content.js'
import { violations } from './violations.js'

const FORMAT = { minLength: 1, maxLength: 40 }

/** One step of a conversion: a file of the call, from one format of the table to another. */
export const convertVendors = port({
  id: 'files.convert',
  input: Type.Object({
    file: scratchFile,
    from: Type.String({ ...FORMAT, description: 'Id of the source format (`formats/`); the bytes were checked against it.' }),
    to: Type.String({ ...FORMAT, description: 'Id of the target format.' }),
    name: Type.String({ maxLength: 200, description: 'Name of the file with its extension, for vendors that require one.' }),
  }),
  output: Type.Object({
    /** One file, or one for each page, in order; each was checked against the format (`result.ts`). */
    files: Type.Array(scratchFile, { minItems: 1, maxItems: 500 }),
    /** Cost charged by the vendor, in its own unit; 0 for local programs. */
    cost: Type.Number({ minimum: 0 }),
  }),
})

/**
 * What the result of a conversion lacks compared with its source; `losses/` decides what follows. `missing` for a file
 * too long to compare.
 */
export const convertLosses = port({
  id: 'convert.losses',
  input: Type.Object({
    file: scratchFile,
    from: Type.String(FORMAT),
    to: Type.String(FORMAT),
    results: Type.Array(scratchFile, { maxItems: 500, description: 'Empty if the result is not compared.' }),
    result: nullable(Type.String({ ...FORMAT, description: 'Format of the results: txt for the text of a PDF.' })),
  }),
  output: Type.Object({
    /** Number of words in the source, and of those missing from the result. */
    words: Type.Integer(),
    missing: Type.Integer(),
    /** Kinds of content with items that are missing entirely. */
    kinds: Type.Array(Type.Object({ kind: oneOf(...KINDS, 'pictures'), of: Type.Integer(), missing: Type.Integer() })),
    /** Sheets that do not fit into a target format with a single table. */
    sheets: Type.Array(Type.String()),
    /** Number of pictures in the source; null if they are not counted. */
    pictures: nullable(Type.Integer()),
    /** Number of pages that may be empty in the source; null when unknown. */
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
    'Converts a document, spreadsheet, presentation, image, e-book, audio or video file, or archive to another ' +
    'format, by default PDF. GET /v1/files/formats lists the formats and their targets. The content of the file must ' +
    'match source_format. Macros and links in documents are disabled. Pages converted to images are returned as one ' +
    'ZIP archive, as file_name shows. The result is available at a link that expires. A file that cannot be ' +
    'converted is not charged.',
  input: Type.Object({
    file_url: Type.String({ minLength: 1, maxLength: 8192, description: 'URL of the file: public, or a file link of this gateway.' }),
    source_format: Type.String({ ...FORMAT, description: 'Format of the file, such as docx, xlsx, png, mp3 or epub.' }),
    target_format: or(Type.String({ ...FORMAT, description: 'Format to convert to.' }), 'pdf'),
  }),
  output: Type.Object({
    file_name: Type.String({ description: 'Name of the source with the new extension; .zip if the result is several files.' }),
    file_size: Type.Integer({ minimum: 1, description: 'Size of the result in bytes.' }),
    file_url: Type.String({ description: 'Download URL of the result, valid until the link expires.' }),
    conversion_cost: Type.Number({
      minimum: 0,
      description: 'Cost charged by the provider, in its own unit; 0 for a local conversion.',
    }),
    source_format: Type.String({ description: 'Source format used; aliases are replaced, such as jpg by jpeg.' }),
    target_format: Type.String({ description: 'Format of the result; aliases are replaced likewise.' }),
  }),
  price: flat(2),
  timeoutMs: 120_000,
  work: 'media',
  vendors: convertVendors,
  parts: [
    part('documents', 'docx', 'pdf'),
    part('images', 'png', 'webp'),
    part('audio and video', 'wav', 'mp3'),
    part('e-books', 'epub', 'mobi'),
    part('archives', 'zip', 'tar'),
  ],
  formatOf: { source_format: 'file_url' },
  normalise: normalised,
  check: violations,
  lists: { formats },
  examples: [
    { title: 'A Word document to PDF', params: { file_url: 'https://example.com/report.docx', source_format: 'docx' } },
    { title: 'An image to WebP', params: { file_url: 'https://example.com/photo.png', source_format: 'png', target_format: 'webp' } },
    { title: 'A recording to MP3', params: { file_url: 'https://example.com/talk.wav', source_format: 'wav', target_format: 'mp3' } },
  ],
})

/** A kind of file, represented by a typical conversion. */
function part(title: string, from: string, to: string): WorkPart {
  const params = { file_url: `https://example.com/file.${from}`, source_format: from, target_format: to }
  return { title, params, vendorInput: { file: { id: 'file', size: 1 }, from, to, name: `file.${from}` } }
}
