import type { Command } from 'commander'
import { join, resolve } from 'node:path'
import type { ConformanceCase } from '../../kit/conformance/index.js'
import { examples } from '../example.js'
import { Failure } from '../failure.js'
import { pathList, pluginFolder, print, printList, readConfig, shortPath, wantsJson, type Shell } from '../shell.js'

/** `capstan plugin new|test|list|lock`. */
export function addPlugin(program: Command, shell: Shell): void {
  const plugin = program.command('plugin').description('plugins: capabilities and vendors')
  examples(plugin, 'capstan plugin list')
  addNew(plugin, shell)
  addTest(plugin, shell)
  addList(plugin, shell)
  addLock(plugin, shell)
}

function addNew(plugin: Command, shell: Shell): void {
  const command = plugin
    .command('new')
    .argument('<name>', 'name of the plugin and of its folder')
    .description('write the skeleton of a plugin')
  command.option('--folder <folder>', 'parent folder (default: plugins inside the clone, else the working folder)')
  command.option('--files', 'for a vendor that processes a file as a job (default: one request with a direct answer)')
  command.option('--javascript', 'in JavaScript, with a package.json for npm (default: TypeScript)')
  examples(command, 'capstan plugin new weather', 'capstan plugin new transcripts --files --javascript')
  command.action(async (name: string, { folder, ...form }: { folder?: string; files?: boolean; javascript?: boolean }) => {
    const into = pluginFolder(shell, folder)
    const files = await shell.parts.newPlugin(name, into, form)
    const next = `capstan plugin test ${shortPath(shell.io.cwd, join(into, name))}`
    await print(shell, command, { name, files }, `wrote\n${pathList(shell, files)}\nnext: ${next}`)
  })
}

function addTest(plugin: Command, shell: Shell): void {
  const command = plugin
    .command('test')
    .argument('[folders...]', 'plugin folders, bundled or your own; all loaded plugins by default')
    .description('run the conformance suite')
  command.option('--vendor <id>', 'only the cases of one vendor: its adapters with their fixtures')
  examples(command, 'capstan plugin test ./weather', 'capstan plugin test plugins/search --vendor brave')
  command.action(async (folders: string[], { vendor }: { vendor?: string }) => {
    const paths = folders.map((folder) => resolve(shell.io.cwd, folder))
    const suite = await shell.parts.conformance({ folders: paths, vendor }, await readConfig(shell, command))
    try {
      await report(shell, command, suite.cases)
    } finally {
      await suite.close()
    }
  })
}

async function report(shell: Shell, command: Command, cases: readonly ConformanceCase[]): Promise<void> {
  const { resultLine, runCases, summaryLine } = await import('../../kit/conformance/index.js')
  const json = wantsJson(command)
  let plugin = ''
  const summary = await runCases(cases, (result) => {
    if (json) return
    void shell.io.out(`${result.plugin === plugin ? '' : `${result.plugin}\n`}${resultLine(result)}\n`)
    plugin = result.plugin
  })
  const ok = summary.failed === 0 && summary.results.length > 0
  const words = summary.results.length === 0 ? 'no plugins to test' : summaryLine(summary)
  if (!ok) throw new Failure(words, { ok, ...summary })
  await print(shell, command, { ok, ...summary }, words)
}

function addList(plugin: Command, shell: Shell): void {
  const command = plugin.command('list').description('list the plugins that were found, and which are not used and why')
  examples(command, 'capstan plugin list --json')
  command.action(async () => {
    const registry = await shell.parts.registry(await readConfig(shell, command))
    try {
      const rows = registry.plugins.map(({ name, version, party, state, folder, reason }) => [
        name,
        version,
        party,
        state,
        reason ?? folder,
      ])
      const headings = ['name', 'version', 'party', 'state', 'folder or reason']
      await printList(shell, command, { document: { plugins: registry.plugins }, headings, rows })
      const unused = registry.plugins.flatMap(({ name, reason }) =>
        reason === null ? [] : [`${shortPath(shell.io.cwd, name)}: ${reason}`],
      )
      if (unused.length > 0) throw new Failure(`set aside:\n  ${unused.join('\n  ')}`)
    } finally {
      await registry.dispose()
    }
  })
}

function addLock(plugin: Command, shell: Shell): void {
  const command = plugin.command('lock').description('write plugins.lock: a third-party plugin that differs from it is then not used')
  examples(command, 'capstan plugin lock')
  command.action(async () => {
    const locked = await shell.parts.lockPlugins(await readConfig(shell, command))
    await print(
      shell,
      command,
      locked,
      `locked ${locked.plugins.length === 1 ? '1 plugin' : `${locked.plugins.length} plugins`} in ${locked.file}`,
    )
  })
}
