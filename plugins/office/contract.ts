import { oneOf, port, scratchFile, Type } from '../../core/sdk/index.js'

export const SOURCES = ['docx', 'doc', 'odt', 'rtf', 'html', 'xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'] as const
export const TARGETS = ['pdf', 'docx', 'doc', 'odt', 'rtf', 'html', 'txt', 'xlsx', 'xls', 'ods', 'csv', 'pptx', 'ppt', 'odp'] as const
export type Source = (typeof SOURCES)[number]
export type Target = (typeof TARGETS)[number]

/**
 * A document, sheet or set of slides in another form, of one file each. A file that is not what `from` says, that is damaged or protected by a
 * password, and a pair that does not go together (slides to csv) are `invalid` Faults.
 */
export const officeConvert = port({
  id: 'office.convert',
  input: Type.Object({
    file: scratchFile,
    from: { ...oneOf(...SOURCES), description: 'What the file is.' },
    to: { ...oneOf(...TARGETS), description: 'Form to make of it; of sheets csv takes the first one.' },
  }),
  output: Type.Object({ file: scratchFile, content_type: Type.String() }),
})
