import type { Command } from 'commander'
import { examples } from '../example.js'
import { readConfig, type Shell } from '../shell.js'

/** `capstan doctor`: which capabilities are available, and what the others need. */
export function addDoctor(program: Command, shell: Shell): void {
  const command = program
    .command('doctor')
    .description('show what fails and how to mend it, and what keys would add, on one screen; queries the running gateway if there is one')
    .option('--all', 'every provider of every capability, and every check')
  examples(command, 'capstan doctor', 'capstan doctor --all', 'capstan doctor --json')
  command.action(async () => {
    const { printDiagnosis } = await import('../diagnose.js')
    await printDiagnosis(shell, command, await readConfig(shell, command))
  })
}
