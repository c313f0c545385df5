import type { Command } from 'commander'
import { ConfigError, type Config, type ConfigProblem } from '../../config/types.js'
import { columns } from '../columns.js'
import { examples } from '../example.js'
import { Failure } from '../failure.js'
import { knownNames } from '../../loader/known-names.js'
import { configFile, print, readConfig, type Shell } from '../shell.js'

/** `capstan config check`: every setting in force and everything that is wrong. */
export function addConfig(program: Command, shell: Shell): void {
  const group = program.command('config').description('the configuration')
  examples(group, 'capstan config check')
  const command = group.command('check').description('show every setting in force, where it comes from, and what is wrong')
  examples(command, 'capstan config check', 'capstan config check --config staging.yml --json')
  command.action(async () => {
    const file = configFile(shell, command)
    const config = await readOr(shell, command, (problems) => {
      throw new Failure(formatted(problems), { ok: false, file, problems, settings: [] })
    })
    const registry = await shell.parts.registry(config)
    try {
      const known = knownNames(registry)
      const problems = [...config.warnings, ...config.problems(known)]
      const settings = config.report(known)
      const ok = problems.every(({ level }) => level === 'warning')
      const document = { ok, file, problems, settings }
      if (!ok) throw new Failure(formatted(problems), document)
      for (const problem of problems) shell.io.err(`${formatted([problem])}\n`)
      const rows = settings.map(({ name, value, source, variable }) => [name, value === '' ? null : value, source, variable])
      await print(
        shell,
        command,
        document,
        `${columns(['setting', 'value', 'from', 'variable'], rows)}\n\nin order: ${file ?? 'no file, variables and defaults alone'}`,
      )
    } finally {
      await registry.dispose()
    }
  })
}

async function readOr(shell: Shell, command: Command, refused: (problems: readonly ConfigProblem[]) => never): Promise<Config> {
  try {
    return await readConfig(shell, command)
  } catch (error) {
    if (error instanceof ConfigError) return refused(error.problems)
    throw error
  }
}

function formatted(problems: readonly ConfigProblem[]): string {
  return problems.map(({ level, where, message }) => `${level}: ${where}: ${message}`).join('\n')
}
