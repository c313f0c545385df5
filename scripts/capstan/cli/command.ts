import { Command, type ErrorOptions, type ParseOptionsResult } from 'commander'
import { adviceFor } from './usage-advice.js'

/** A command whose errors suggest what to write instead. */
export class CapstanCommand extends Command {
  #unknown: readonly string[] = []

  override createCommand(name?: string): CapstanCommand {
    return new CapstanCommand(name)
  }

  /** Records unknown options: commander checks required options before it reports a misspelt one. */
  override parseOptions(argv: string[]): ParseOptionsResult {
    const result = super.parseOptions(argv)
    this.#unknown = result.unknown
    if (this.parent === null) this.#helpWanted(result.operands)
    return result
  }

  override error(message: string, options: ErrorOptions = {}): never {
    const misspelt = this.#unknown.find((word) => /^--?[a-z]/i.test(word))
    if (options.code === 'commander.missingMandatoryOptionValue' && misspelt !== undefined)
      return this.error(`error: unknown option '${misspelt}'`, { ...options, code: 'commander.unknownOption' })
    return super.error(`${message}${adviceFor(this, message, options.code)}`, options)
  }

  /** `help a b` and `a help b`: the root parses all words first. */
  #helpWanted([first, ...words]: readonly string[]): void {
    if (first === 'help') return this.#helpFor(words)
    const group = this.commands.find((command) => command.name() === first && command.commands.length > 0)
    if (group instanceof CapstanCommand) group.#helpWanted(words)
  }

  /** `help a b` shows the help of `a b`; commander would show that of `a`, even for an unknown `b`. */
  #helpFor(words: readonly string[]): void {
    const [first, ...rest] = words
    if (first === undefined) return
    const found = this.commands.find((command) => command.name() === first)
    if (found === undefined) this.error(`error: unknown command '${first}'`, { code: 'commander.unknownCommand' })
    else if (rest.length === 0) found.help()
    else if (found instanceof CapstanCommand && found.commands.length > 0) found.#helpFor(rest)
    else found.error(`error: unknown command '${rest[0] ?? ''}'`, { code: 'commander.unknownCommand' })
  }
}
