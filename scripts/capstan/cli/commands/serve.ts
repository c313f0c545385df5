import type { Command } from 'commander'
import { examples } from '../example.js'
import { Failure } from '../failure.js'
import { configReader, readConfig, wantsJson, type Shell } from '../shell.js'

/** `capstan serve`: runs the gateway until it is stopped. */
export function addServe(program: Command, shell: Shell): void {
  const command = program.command('serve').description('start the gateway; with --json it prints one line when it listens')
  examples(command, 'capstan serve', 'CAPSTAN_PORT=0 capstan serve --json')
  command.action(async () => {
    const reread = await configReader(shell, command)
    const code = await shell.parts.serve(await readConfig(shell, command), { json: wantsJson(command), reread })
    if (code !== 0) throw new Failure('the gateway stopped because of too many unhandled errors; see its log')
  })
}
