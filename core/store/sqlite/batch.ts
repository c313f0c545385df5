import type { CommandName } from './commands.js'

/** A command and its arguments. */
export interface StoreCall {
  readonly name: CommandName
  readonly args: readonly unknown[]
}

/** All calls of one turn of the event loop. */
export interface Batch {
  readonly reads: readonly StoreCall[]
  readonly writes: readonly StoreCall[]
}

export interface Failure {
  readonly index: number
  readonly name: string
  readonly message: string
  /** Of StoreUnavailable: false when the command certainly was not carried out. */
  readonly sent: boolean
  /** Of StoreUnavailable: the disk is full. */
  readonly full: boolean
}

/** One value per call, in order; calls in `failures` have none. */
export interface Results {
  readonly values: readonly unknown[]
  readonly failures: readonly Failure[]
}
