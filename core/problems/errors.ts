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

/** A wrong or unknown setting: where it stands and what to do. */
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

  /** The same with other places. */
  at(place: (where: string) => string): ConfigError {
    return new ConfigError(this.problems.map((problem) => ({ ...problem, where: place(problem.where) })))
  }
}
