import type { Command } from 'commander'
import { examples } from '../example.js'
import { readConfig, type Shell } from '../shell.js'

/** `capstan doctor`: what answers now, and what would make the rest answer. */
export function addDoctor(program: Command, shell: Shell): void {
  const command = program
    .command('doctor')
    .description('what answers now, what is missing for the rest, and how to get it: of the running gateway where there is one')
  examples(command, 'capstan doctor', 'capstan doctor --json')
  command.action(async () => {
    const { printDiagnosis } = await import('../diagnose.js')
    await printDiagnosis(shell, command, await readConfig(shell, command))
  })
}
