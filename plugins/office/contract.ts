import { port, scratchFile, Type } from '../../core/sdk/index.js'

export { failureOf as programFailure } from './failure.js'
export { pairs as officePairs } from './formats/table.js'
export { isPlainNumber, rowsOf, separatorOf } from './parse/text-table.js'

/**
 * A document, sheet or set of slides in another form, of one file each. `from` and `to` are ids of `formats/`. A file that is not what `from` says,
 * that is damaged or protected by a password, and a pair that does not go together (slides to csv) are `invalid` Faults.
 */
export const officeConvert = port({
  id: 'office.convert',
  input: Type.Object({
    file: scratchFile,
    from: Type.String({ description: 'What the file is, for example docx.' }),
    to: Type.String({ description: 'Form to make of it; of sheets csv takes the first one, and pdf has all columns on a page.' }),
  }),
  output: Type.Object({ file: scratchFile }),
})
