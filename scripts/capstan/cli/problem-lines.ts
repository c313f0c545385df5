import type { ConfigProblem } from '../../../core/problems/errors.js'
import { Failure } from './failure.js'

/** Problems of the configuration, one per line. */
export function problemLines(problems: readonly ConfigProblem[]): string {
  return problems.map(({ level, where, message }) => `${level}: ${where}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** A command failed because of the configuration. */
export class ConfigFailure extends Failure {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[], document?: unknown) {
    super(problemLines(problems), document)
    this.problems = problems
  }
}
