import type { ConfigProblem } from '../../../core/problems/errors.js'
import { Failure } from './failure.js'

/** What is wrong with the configuration, a line each. */
export function problemLines(problems: readonly ConfigProblem[]): string {
  return problems.map(({ level, where, message }) => `${level}: ${where}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** A command that failed at the configuration. */
export class ConfigFailure extends Failure {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[], document?: unknown) {
    super(problemLines(problems), document)
    this.problems = problems
  }
}
