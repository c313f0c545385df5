import type { Command } from 'commander'
import { examples } from '../example.js'
import { pathList, pluginFolder, print, readConfig, type Shell } from '../shell.js'

/** `capstan provider new PORT VENDOR`. */
export function addProvider(program: Command, shell: Shell): void {
  const group = program.command('provider').description('vendors of a port')
  examples(group, 'capstan provider new search.serp acme')
  const command = group
    .command('new')
    .argument('<port>', 'port to serve, for example search.serp')
    .argument('<vendor>', 'id of the vendor')
    .description('write an adapter with its fixture, ready for capstan plugin test')
  examples(command, 'capstan provider new search.serp acme')
  command.option('--folder <folder>', 'plugin to put it in (default: plugins inside the clone, else the working folder)')
  command.action(async (port: string, vendor: string, { folder }: { folder?: string }) => {
    const files = await shell.parts.newProvider({ port, vendor, folder: pluginFolder(shell, folder) }, await readConfig(shell, command))
    await print(
      shell,
      command,
      { port, vendor, files },
      `wrote\n${pathList(shell, files)}\nnext: fill in request, reply and map, then capstan plugin test`,
    )
  })
}
