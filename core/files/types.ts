import type { Cancel } from '../runtime/cancel.js'
import type { FileInfo, Stored } from '../sdk/index.js'

/** Puts files of a call into the artifact store, on the account's quota. */
export interface CallFiles {
  put(account: string, data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo, cancel: Cancel): Promise<Stored>
}

/** Memory for an answer; `reserve` throws `overloaded` when there is none left. */
interface AnswerRoom {
  reserve(bytes: number): void
}

/** How a kept answer is read: until `cancel` ends the call, and with room for its bytes. */
export interface ReadTerms {
  readonly cancel?: Cancel
  readonly room?: AnswerRoom | null
}

/** Where answers too large for the store are kept. Both reject with Stopped as soon as `cancel` ends the call. */
export interface KeptFiles {
  write(account: string, data: Uint8Array, expires: number, cancel: Cancel): Promise<string>
  read(file: string, terms: ReadTerms): Promise<Uint8Array>
}
