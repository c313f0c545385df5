import { atField } from '../../_shared/at-field.js'

/** The answer of a port that reads a file; a file that cannot be read is a mistake in `url`. */
export async function atUrl<T>(reading: Promise<T>): Promise<T> {
  return await atField(reading, { loc: ['url'], what: 'the document at url' })
}
