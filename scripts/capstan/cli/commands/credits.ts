import type { Command } from 'commander'
import { findAccount } from '../account.js'
import { credits } from '../arguments.js'
import { examples } from '../example.js'
import { Failure, UsageError } from '../failure.js'
import { print, withStore, type Shell } from '../shell.js'
import { systemClock } from '../../../../core/runtime/clock.js'
import { Problem } from '../../../../core/problems/problem.js'

const LONGEST_NOTE = 200
const REFERENCE = /^[\x21-\x7e]{1,200}$/

/** `capstan credits grant|adjust`. */
export function addCredits(program: Command, shell: Shell): void {
  const group = program.command('credits').description('credits of an account')
  examples(group, 'capstan credits grant --account default --amount 100 --ref invoice-17')
  addGrant(group, shell)
  addAdjust(group, shell)
}

interface GrantOptions {
  readonly account: string
  readonly amount: number
  readonly ref: string
  readonly note?: string
}

function addGrant(group: Command, shell: Shell): void {
  const command = group.command('grant').description('add credits, once for each reference')
  withOptions(command, 'credits to add', 'grant')
  examples(command, 'capstan credits grant --account default --amount 100 --ref invoice-17')
  command.action(async (options: GrantOptions) => {
    await post(shell, command, options, 1)
  })
}

function addAdjust(group: Command, shell: Shell): void {
  const command = group
    .command('adjust')
    .description('remove credits, once for each reference; at most the available credits of the account')
  withOptions(command, 'credits to remove, without a sign', 'correction')
  examples(command, "capstan credits adjust --account default --amount 12.5 --ref ticket-881 --note 'granted twice'")
  command.action(async (options: GrantOptions) => {
    await post(shell, command, options, -1)
  })
}

function withOptions(command: Command, amount: string, what: string): void {
  command
    .requiredOption('--account <account>', 'id or name')
    .requiredOption('--amount <n>', amount, credits)
    .requiredOption('--ref <reference>', `names this ${what}: the same reference is never applied twice`)
    .option('--note <text>', `why, kept with the entry, at most ${LONGEST_NOTE} characters`)
}

async function post(shell: Shell, command: Command, { account: wanted, amount, ref, note }: GrantOptions, sign: 1 | -1): Promise<void> {
  if (!REFERENCE.test(ref)) throw new UsageError('--ref must have 1 to 200 characters, none of them a space')
  if ((note ?? '').length > LONGEST_NOTE) throw new UsageError(`--note must have at most ${LONGEST_NOTE} characters`)
  await withStore(shell, command, async (store) => {
    const { AccountService } = await import('../../../../core/credits/account-service.js')
    const { id, name } = await findAccount(store, wanted)
    const order = { amount: sign * amount, ref, actor: 'cli', ...(note === undefined ? {} : { note }) }
    const document = await new AccountService(store, systemClock).grant(id, order).catch((error: unknown) => refuse(error, ref))
    const done = sign > 0 ? `added ${amount} credits to ${name}` : `removed ${amount} credits from ${name}`
    const words = document.applied ? done : `${ref} was already applied; ${name} is unchanged`
    await print(shell, command, document, `${words}; balance ${document.balance}`)
  })
}

/** Converts a refusal to an error that names the option. */
function refuse(error: unknown, ref: string): never {
  if (!(error instanceof Problem) || error.slug !== 'conflict') throw error
  const used = /reference/.test(error.message)
  throw new Failure(used ? `--ref ${ref} was already used for another amount or kind; use a new reference` : `--amount: ${error.message}`)
}
