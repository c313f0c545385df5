import type { Cancel, CancelReason } from '../runtime/cancel.js'

/** No provider of a port is live, or none accepts this input; the message names the settings to change. */
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

/** A wrong or unknown setting: its place and the remedy. */
export interface ConfigProblem {
  /** `capstan.yml:6:13`, or the variable's name. */
  readonly where: string
  readonly message: string
  readonly level: 'error' | 'warning'
}

/** Wrong settings stop the start; the message lists every one with place and remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]
  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map((problem) => `${problem.where}: ${problem.message}`).join('\n'))
    this.problems = problems
  }

  /** The same with mapped places. */
  at(place: (where: string) => string): ConfigError {
    return new ConfigError(this.problems.map((problem) => ({ ...problem, where: place(problem.where) })))
  }
}

/** The work's outcome, or Stopped as soon as it is cancelled. */
export function settledOrStopped<T>(work: Promise<T>, cancel: Cancel): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancel.onCancel((reason) => reject(new Stopped(reason)))
    // Removed first: the caller may cancel at once, which would create an unused error.
    work.then(
      (value) => {
        forget()
        resolve(value)
      },
      (error: Error) => {
        forget()
        reject(error)
      },
    )
  })
}
