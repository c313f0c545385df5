import { atField } from '../../_shared/at-field.js'

/** The answer of a port that reads a file; an unreadable file is a violation at `url`. */
export async function atUrl<T>(reading: Promise<T>): Promise<T> {
  return await atField(reading, { loc: ['url'], what: 'the document at url' })
}
