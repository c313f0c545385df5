import type { Cancel } from '../runtime/cancel.js'
import type { FileInfo, Stored } from '../sdk/index.js'

/** Stores files of a call as artifacts, within the account's quota. */
export interface CallFiles {
  put(account: string, data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo, cancel: Cancel): Promise<Stored>
}

/** Memory for an answer; `reserve` throws `overloaded` when none is left. */
interface AnswerRoom {
  reserve(bytes: number): void
}

/** Terms of reading a kept answer: until `cancel` ends the call, within `room`. */
export interface ReadTerms {
  readonly cancel?: Cancel
  readonly room?: AnswerRoom | null
}

/** Keeps answers too large for the store. Both methods reject with Stopped as soon as `cancel` ends the call. */
export interface KeptFiles {
  write(account: string, data: Uint8Array, expires: number, cancel: Cancel): Promise<string>
  read(file: string, terms: ReadTerms): Promise<Uint8Array>
}
