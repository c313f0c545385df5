import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { columns } from '../columns.js'
import { examples } from '../example.js'
import { Failure, UsageError } from '../failure.js'
import { print, readConfig, type Shell } from '../shell.js'
import { toCredits } from '../../../../core/store/amount.js'
import type { MoveLine, MoveReport } from '../../move/report.js'

interface MoveOptions {
  readonly to: string
  readonly from?: string
  readonly dryRun?: boolean
}

/** `capstan store move`. */
export function addStore(program: Command, shell: Shell): void {
  const group = program.command('store').description('the database that holds the ledger')
  examples(group, 'capstan store move --to mongodb://127.0.0.1:27017/capstan --dry-run')
  const command = group.command('move').description('copy the embedded ledger exactly into an empty MongoDB database, and verify the copy')
  command
    .requiredOption('--to <address>', 'mongodb://… with the name of an empty database; ${NAME} is replaced from the environment')
    .option('--from <address>', 'sqlite:{path}; by default the configured store')
    .option('--dry-run', 'check both sides and write nothing')
  examples(command, 'capstan store move --to mongodb://127.0.0.1:27017/capstan --dry-run', "capstan store move --to '${MONGODB_URI}'")
  command.action(async (options: MoveOptions) => {
    const { settings } = await readConfig(shell, command)
    const file = sourceFile(options.from ?? settings.store, shell.io.cwd)
    const order = { from: file, to: await targetAddress(options.to, shell), dryRun: options.dryRun === true, now: Date.now() }
    const say = (text: string) => shell.io.err(`${text}\n`)
    const report = await alone([settings.data, dirname(file)], file, async () => {
      const { moveStore } = await import('../../move/move.js')
      return await moveStore({ ...order, say })
    })
    await print(shell, command, documentOf(report), textOf(report))
  })
}

/** The file that `sqlite:{path}` names, relative to the working folder. */
function sourceFile(address: string, cwd: string): string {
  const path = /^sqlite:(.+)$/.exec(address)?.[1]
  if (path === undefined) throw new UsageError('the source is not an embedded ledger: set --from sqlite:{path}')
  return resolve(cwd, path)
}

/** The address with its variables replaced: a password on the command line would be visible to every user of the machine. */
async function targetAddress(typed: string, { io }: Shell): Promise<string> {
  const [{ expand }, { environmentOf }] = await Promise.all([
    import('../../../../core/config/variables.js'),
    import('../../../../core/config/variables.js'),
  ])
  const { text, faults } = expand(typed, environmentOf(io.env))
  if (faults[0] !== undefined) throw new UsageError(`--to: ${faults[0]}`)
  if (!/^mongodb(?:\+srv)?:\/\/[^/?]+\/[^/?]+/.test(text))
    throw new UsageError('--to must be mongodb://host/name: the name of the database is part of it')
  return text
}

/** Runs work while no gateway can start on these folders or the file. Throws StoreRefused with the pid of a running one. */
async function alone<T>(folders: readonly string[], file: string, work: () => Promise<T>): Promise<T> {
  const { takeLedgerLock, takeServeLock } = await import('../../../../core/store/sqlite/serve-lock.js')
  const locks = []
  try {
    for (const folder of new Set(folders.filter((each) => existsSync(each))))
      locks.push(takeServeLock(folder, { pid: process.pid, since: Date.now() }))
    if (existsSync(file)) locks.push(takeLedgerLock(file, { pid: process.pid, since: Date.now() }))
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'MoveRefused') throw new Failure(error.message)
    throw error
  } finally {
    for (const { release } of locks) release()
  }
}

function format({ what, from, to }: MoveLine): readonly [string, number, number | null] {
  if (what !== 'thousandths of a credit') return [what, from, to]
  return ['credits', toCredits(from), to === null ? null : toCredits(to)]
}

function documentOf({ moved, from, to, lines, digest }: MoveReport) {
  const compared = lines.map((line) => {
    const [what, source, target] = format(line)
    return { what, source, target }
  })
  return { moved, from: `sqlite:${from}`, to, compared, entries_sha256: digest }
}

function textOf(report: MoveReport): string {
  const table = columns(['what', 'source', 'target'], report.lines.map(format))
  if (!report.moved) return `${table}\nnothing was written; without --dry-run this would be moved to ${report.to}`
  const next = `the source ${report.from} is unchanged: keep it as a backup, and set CAPSTAN_STORE to the new address before a gateway starts`
  return `${table}\nentries compared one by one, SHA-256 ${report.digest}\n${next}`
}
