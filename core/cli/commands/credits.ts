import type { Command } from 'commander'
import { findAccount } from '../account.js'
import { credits } from '../arguments.js'
import { examples } from '../example.js'
import { Failure } from '../failure.js'
import { print, withStore, type Shell } from '../shell.js'
import { toCredits, toMilli } from '../../credits/amount.js'
import { operatorRef } from '../../credits/references.js'

interface GrantOptions {
  readonly account: string
  readonly amount: number
  readonly ref: string
}

/** `capstan credits grant`. */
export function addCredits(program: Command, shell: Shell): void {
  const group = program.command('credits').description('credits of an account')
  examples(group, 'capstan credits grant --account default --amount 100 --ref invoice-17')
  const command = group.command('grant').description('add credits, once for each reference')
  command
    .requiredOption('--account <account>', 'id or name')
    .requiredOption('--amount <n>', 'credits to add', credits)
    .requiredOption('--ref <reference>', 'names this grant: the same reference is never applied twice')
  examples(command, 'capstan credits grant --account default --amount 100 --ref invoice-17')
  command.action(async ({ account: wanted, amount, ref }: GrantOptions) => {
    await withStore(shell, command, async (store) => {
      const { id, name } = await findAccount(store, wanted)
      const result = await store.ledger.post({
        account: id,
        ...operatorRef(ref),
        kind: 'grant',
        amount: toMilli(amount),
        note: null,
        facts: null,
        owner: 'cli',
        now: Date.now(),
      })
      if (!result.ok)
        throw new Failure(
          result.why === 'conflict' ? `the reference ${ref} was used for another amount or kind` : `the grant was refused: ${result.why}`,
        )
      const document = { account: id, ref, balance: toCredits(result.balance), applied: result.applied }
      const words = result.applied ? `added ${amount} credits to ${name}` : `${ref} was applied before; nothing was added to ${name}`
      await print(shell, command, document, `${words}; balance ${document.balance}`)
    })
  })
}
