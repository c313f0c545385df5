import type { ExitCode } from '../../../scripts/capstan/cli/exit-codes.js'
import type { Mistake } from '../../support/mistakes.js'

/**
 * A mistake with a command. `tried` is the line that was typed; `{key}`, `{raw}`, `{account}`, `{url}` and `{port}` in it are replaced by what the
 * running gateway has. `sudo -u nobody` before it, and `serve`, make it a process of its own.
 */
export interface CommandMistake extends Mistake {
  /** The exit code that is right. */
  readonly exit: ExitCode
}

/** Exit code, line, what the answer has to say. */
export type Row = readonly [ExitCode, string, ...(string | RegExp)[]]

/** The mistakes with one command; `of` is its name without `capstan`. */
export function mistakesOf(of: string, ...rows: readonly Row[]): CommandMistake[] {
  return rows.map(([exit, tried, ...says]) => ({ of, exit, tried, says }))
}
