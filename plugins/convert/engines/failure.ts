import { Fault, type ExecResult } from '../../../core/sdk/index.js'
import { programFailure } from '../../office/contract.js'

/**
 * The Fault for a program that produced no result for a file of the call, with the engine's own reason if known
 * (`why`).
 */
export function failureOf(
  result: ExecResult,
  run: { readonly why?: string | null; readonly from: string; readonly timeLeft: number },
): Fault {
  return programFailure(result, { ...run, loc: ['file_url'] })
}

/** Awaits another plugin's work on the source; its complaints about the file become violations of the caller's field. */
export async function ofSource<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    const internal = error.internal === undefined ? {} : { internal: error.internal }
    throw new Fault('invalid', error.message, { cause: error, loc: ['file_url'], ...internal })
  }
}

/** Text of a program's output. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
