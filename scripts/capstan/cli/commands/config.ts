import type { Command } from 'commander'
import type { Config } from '../../../../core/config/types.js'
import { ConfigError, type ConfigProblem } from '../../../../core/problems/errors.js'
import { columns } from '../columns.js'
import { examples } from '../example.js'
import { ConfigFailure, problemLines } from '../problem-lines.js'
import { knownNames } from '../../../../core/loader/registry.js'
import { leftOut, type LeftOut } from '../../../../core/loader/order.js'
import type { Registry } from '../../../../core/loader/types.js'
import { configFile, print, readConfig, type Shell } from '../shell.js'

/** `capstan config check`: every effective setting and every problem. */
export function addConfig(program: Command, shell: Shell): void {
  const group = program.command('config').description('the configuration')
  examples(group, 'capstan config check')
  const command = group
    .command('check')
    .description('show the settings that differ from their defaults, with their sources, and all problems')
    .option('--all', 'every effective setting')
  examples(command, 'capstan config check', 'capstan config check --all', 'capstan config check --config staging.yml --json')
  command.action(async () => {
    const file = configFile(shell, command)
    const refused = (problems: readonly ConfigProblem[]): never => {
      throw new ConfigFailure(problems, { ok: false, file, problems, settings: [] })
    }
    const config = await orRefused(readConfig(shell, command), refused)
    const starting = await shell.parts.startProblems(config)
    const registry = await orRefused(shell.parts.registry(config), (problems) => refused([...config.warnings, ...problems, ...starting]))
    try {
      const known = knownNames(registry)
      const problems = [...config.warnings, ...config.problems(known), ...starting, ...setAside(registry, config)]
      const settings = config.report(known)
      const ok = problems.every(({ level }) => level === 'warning')
      const left = leftOut(registry).map((each) => ({ ...each, where: config.place(`waterfall.${each.port}`) }))
      const document = { ok, file, problems, settings, left_out: left }
      if (!ok) throw new ConfigFailure(problems, document)
      const own = problems.filter((problem) => !config.warnings.includes(problem))
      if (own.length > 0) shell.io.err(`${problemLines(own)}\n`)
      const { all } = command.opts<{ readonly all?: boolean }>()
      const shown = settings.filter(({ source }) => all === true || source !== 'default')
      const rows = shown.map(({ name, value, source, variable }) => [name, value === '' ? null : value, source, variable])
      const parts = [
        ...(rows.length === 0 ? [] : [columns(['setting', 'value', 'from', 'variable'], rows, shell.io.columns)]),
        ...(all === true ? [] : [`${settings.length - shown.length} settings have their defaults; --all shows them`]),
        '',
        ...left.map(leftLine),
        ...(left.length === 0 ? [] : ['']),
      ]
      await print(shell, command, document, [...parts, `in order: ${file ?? 'no file, only variables and defaults'}`].join('\n'))
    } finally {
      await registry.dispose()
    }
  })
}

async function orRefused<T>(work: Promise<T>, refused: (problems: readonly ConfigProblem[]) => never): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ConfigError) return refused(error.problems)
    throw error
  }
}

/** Configured plugins that are not in use, or only partly. */
function setAside({ plugins }: Registry, config: Config): ConfigProblem[] {
  const where = config.place('plugins')
  return plugins.flatMap(({ reason, remarks }) =>
    (reason === null ? remarks : [reason]).map((message) => ({ where, message: `set aside: ${message}`, level: 'error' as const })),
  )
}

function leftLine({ port, vendors, where }: LeftOut & { readonly where: string }): string {
  return `not in the order of ${port} (${where}): ${vendors.join(', ')}`
}
