import { port, scratchFile, Type } from '../../core/sdk/index.js'

export { failureOf as programFailure } from './failure.js'
export { pairs as officePairs } from './formats/table.js'
export { isPlainNumber, rowsOf, separatorOf } from './parse/text-table.js'

/**
 * Converts a document, spreadsheet or presentation, one file to one file. `from` and `to` are ids of `formats/`. A
 * file that does not match `from`, is damaged or password-protected, and an unsupported pair (slides to csv) are
 * `invalid` Faults.
 */
export const officeConvert = port({
  id: 'office.convert',
  input: Type.Object({
    file: scratchFile,
    from: Type.String({ description: 'Format of the file, for example docx.' }),
    to: Type.String({ description: 'Target format; csv contains the first sheet only, and pdf fits all columns of a sheet on a page.' }),
  }),
  output: Type.Object({ file: scratchFile }),
})
