import type { CancelReason } from '../runtime/cancel.js'

/** No provider of a port is live, or none serves this input: says which settings would change that. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly port: string

  constructor(port: string, reason: string) {
    super(reason)
    this.port = port
  }
}

/** The call was stopped: its deadline passed, the caller went away, or the gateway is stopping. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly reason: CancelReason

  constructor(reason: CancelReason) {
    super(`the call was stopped: ${reason}`)
    this.reason = reason
  }
}
