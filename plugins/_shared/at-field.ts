import { Fault } from '../../core/sdk/index.js'

export interface FieldFile {
  /** Where the file is named in the caller's input. */
  readonly loc: readonly (string | number)[]
  /** The subject of the error sentence, such as `the document at url`. */
  readonly what: string
}

/**
 * Runs a port on a file named by the caller; an `invalid` Fault of the port becomes a validation error of that field.
 */
export async function atField<T>(reading: Promise<T>, { loc, what }: FieldFile): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('invalid', `${what} cannot be read: ${error.message}`, { loc, cause: error, costly: error.costly })
  }
}
