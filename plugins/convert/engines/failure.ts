import { Fault, type ExecResult } from '../../../core/sdk/index.js'
import { programFailure } from '../../office/contract.js'

/** Why a program gave no result for the file of a call, in the words of the engine where it knows (`why`). */
export function failureOf(
  result: ExecResult,
  run: { readonly why?: string | null; readonly from: string; readonly timeLeft: number },
): Fault {
  return programFailure(result, { ...run, loc: ['file_url'] })
}

/** What another plugin made of the source; what it says is wrong with it is said of the field that the caller named it in. */
export async function ofSource<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    const internal = error.internal === undefined ? {} : { internal: error.internal }
    throw new Fault('invalid', error.message, { cause: error, loc: ['file_url'], ...internal })
  }
}

/** Text of a stream of a program. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
