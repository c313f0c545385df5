import type { Command } from 'commander'

/** Appends examples to a command's help. */
export function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText(
    'after',
    `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`,
  )
}
