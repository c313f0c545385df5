import { Fault } from '../../core/sdk/index.js'

export interface FieldFile {
  /** Where the file is named in the caller's input. */
  readonly loc: readonly (string | number)[]
  /** What it is, for the sentence, such as `the document at url`. */
  readonly what: string
}

/** What a port says of a file that the caller named; a file that it calls `invalid` is then a mistake in that field. */
export async function atField<T>(reading: Promise<T>, { loc, what }: FieldFile): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('invalid', `${what} cannot be read: ${error.message}`, { loc, cause: error, costly: error.costly })
  }
}
