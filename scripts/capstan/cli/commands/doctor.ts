import type { Command } from 'commander'
import { examples } from '../example.js'
import { readConfig, type Shell } from '../shell.js'

/** `capstan doctor`: which capabilities are available, and what the others need. */
export function addDoctor(program: Command, shell: Shell): void {
  const command = program
    .command('doctor')
    .description(
      'show which capabilities are available, what the others need, and how to get it; queries the running gateway if there is one',
    )
  examples(command, 'capstan doctor', 'capstan doctor --json')
  command.action(async () => {
    const { printDiagnosis } = await import('../diagnose.js')
    await printDiagnosis(shell, command, await readConfig(shell, command))
  })
}
