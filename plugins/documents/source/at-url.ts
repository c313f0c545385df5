import { Fault } from '../../../core/sdk/index.js'

/** The answer of a port that reads a file; a file that cannot be read is a mistake in `url`. */
export async function atUrl<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('invalid', `the document at url cannot be read: ${error.message}`, { loc: ['url'], cause: error, costly: error.costly })
  }
}
