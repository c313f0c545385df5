import type { Command } from 'commander'
import { resolve } from 'node:path'
import { examples } from '../example.js'
import { sqliteFile } from '../../audit/store.js'
import { Failure } from '../failure.js'
import { ledgerFault } from '../ledger-fault.js'
import { print, readConfig, withStore, type Shell } from '../shell.js'

/** `capstan backup FILE`. */
export function addBackup(program: Command, shell: Shell): void {
  const command = program
    .command('backup')
    .argument('<file>', 'where to write the copy')
    .description('write a consistent copy of the database while the gateway runs')
  examples(command, 'capstan backup capstan-backup.db')
  command.action(async (file: string) => {
    const source = sqliteFile((await readConfig(shell, command)).settings.store)
    const fault = source === null ? null : ledgerFault(source)
    if (fault !== null) throw new Failure(fault)
    await withStore(shell, command, async (store) => {
      const target = resolve(shell.io.cwd, file)
      const { bytes } = await store.backup(target)
      await print(shell, command, { file: target, bytes }, `wrote ${bytes} bytes to ${target}`)
    })
  })
}
