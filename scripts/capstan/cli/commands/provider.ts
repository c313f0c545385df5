import type { Command } from 'commander'
import { examples } from '../example.js'
import { pathList, pluginFolder, print, readConfig, shortPath, type Shell } from '../shell.js'

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
  command.option('--folder <folder>', 'folder of the plugin (default: plugins inside the clone, else the working folder)')
  command.action(async (port: string, vendor: string, { folder }: { folder?: string }) => {
    const order = { port, vendor, folder: pluginFolder(shell, folder) }
    const { home, files, changed } = await shell.parts.newProvider(order, await readConfig(shell, command))
    const lines = [
      `wrote\n${pathList(shell, files)}`,
      ...(changed.length === 0 ? [] : [`added a line to\n${pathList(shell, changed)}`]),
      `next: fill in request, reply and map, then capstan plugin test ${shortPath(shell.io.cwd, home)}`,
    ]
    await print(shell, command, { port, vendor, files, changed }, lines.join('\n'))
  })
}
