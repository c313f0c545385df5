import { type Command, CommanderError } from 'commander'
import { packageVersion } from '../../../core/runtime/root.js'
import { addAccounts } from './commands/accounts.js'
import { addBackup } from './commands/backup.js'
import { addCalls } from './commands/calls.js'
import { addCompletion } from './commands/completion.js'
import { addConfig } from './commands/config.js'
import { addCredits } from './commands/credits.js'
import { addDoctor } from './commands/doctor.js'
import { addKeys } from './commands/keys.js'
import { addLedger } from './commands/ledger.js'
import { addPlugin } from './commands/plugin.js'
import { addProvider } from './commands/provider.js'
import { addProviders } from './commands/providers.js'
import { addMcp } from './commands/mcp.js'
import { addRun } from './commands/run.js'
import { addServe } from './commands/serve.js'
import { addStore } from './commands/store.js'
import { addTools } from './commands/tools.js'
import { addWaterfall } from './commands/waterfall.js'
import { CapstanCommand } from './command.js'
import { examples } from './example.js'
import { Failure, UsageError } from './failure.js'
import { ConfigError } from '../../../core/problems/errors.js'
import { Problem } from '../../../core/problems/problem.js'
import { ConfigFailure, problemLines } from './problem-lines.js'
import type { Shell } from './shell.js'

/** The commands, in the order of the help. */
const COMMANDS = [
  addServe,
  addDoctor,
  addConfig,
  addRun,
  addTools,
  addCalls,
  addMcp,
  addAccounts,
  addCredits,
  addKeys,
  addLedger,
  addProviders,
  addWaterfall,
  addPlugin,
  addProvider,
  addBackup,
  addStore,
  addCompletion,
]

/** The whole command line, writing to the shell's streams and never ending the process. */
export function buildProgram(shell: Shell): Command {
  const program = new CapstanCommand('capstan')
    .description('One API key and one credit balance in front of the capabilities an AI agent needs.')
    .version(packageVersion())
    .option('--json', 'print one JSON document on standard output, logs on standard error')
    .option('--config <file>', 'configuration file (default: CAPSTAN_CONFIG, else capstan.yml)')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void shell.io.out(text), writeErr: (text) => shell.io.err(text) })
  examples(program, 'capstan serve', "capstan run code.execute language=javascript code='console.log(1 + 1)'")
  for (const add of COMMANDS) add(program, shell)
  for (const command of everyCommand(program)) {
    command.configureOutput({ outputError: (text, write) => write(`${text}usage: ${usageOf(command)}\n`) })
  }
  return program
}

/** Runs one command. Returns the exit code: 0 done, 1 failed, 2 used wrongly, and of calls those of `EXIT_CODES`. */
export async function runCli(argv: readonly string[], { io, ...rest }: Shell): Promise<number> {
  let silent = true
  const out = (text: string): Promise<void> => {
    silent = false
    return io.out(text)
  }
  const shell = { ...rest, io: { ...io, out } }
  try {
    await buildProgram(shell).parseAsync(withCapabilityHelp(argv), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const message = error instanceof Error ? error.message : String(error)
    const isConfiguration = error instanceof ConfigError || error instanceof ConfigFailure
    shell.io.err(isConfiguration ? `${problemLines(error.problems)}\n` : `error: ${message}\n`)
    if (error instanceof UsageError || (error instanceof Problem && error.slug === 'validation-failed')) return 2
    if (error instanceof Error && !EXPECTED.has(error.name)) shell.io.err(`${error.stack ?? ''}\n`)
    if (argv.includes('--json') && silent) {
      const document = error instanceof Failure && error.document !== undefined ? error.document : { error: message }
      await shell.io.out(`${JSON.stringify(document)}\n`)
    }
    return error instanceof Failure ? error.code : 1
  }
}

/** Errors that are printed without a stack; any other is a bug. */
const EXPECTED: ReadonlySet<string> = new Set(['Failure', 'ConfigError', 'Problem', 'StoreUnavailable', 'StoreRefused', 'PluginError'])

/** `run CAPABILITY --help` and `help run CAPABILITY` as `tools CAPABILITY`: only a gateway has its parameters. */
function withCapabilityHelp(argv: readonly string[]): string[] {
  const config = argv.indexOf('--config')
  const [first, second, third] = argv.filter((word, at) => !word.startsWith('-') && (config < 0 || at !== config + 1))
  const wantsHelp = argv.some((word) => word === '--help' || word === '-h')
  const capability = first === 'run' && wantsHelp ? second : first === 'help' && second === 'run' ? third : undefined
  if (capability === undefined) return [...argv]
  return ['tools', capability, ...(argv.includes('--json') ? ['--json'] : []), ...(config < 0 ? [] : argv.slice(config, config + 2))]
}

function* everyCommand(command: Command): Generator<Command> {
  yield command
  for (const child of command.commands) yield* everyCommand(child)
}

function usageOf(command: Command): string {
  const names = [command.name()]
  for (let above = command.parent; above !== null; above = above.parent) names.unshift(above.name())
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => `${flags} `)
  return `${names.join(' ')} ${needed.join('')}${command.usage()}`
}
