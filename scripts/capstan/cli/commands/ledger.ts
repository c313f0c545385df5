import { Option, type Command } from 'commander'
import { findAccount } from '../account.js'
import { examples } from '../example.js'
import { masked } from '../../../../core/config/mask.js'
import { Failure } from '../failure.js'
import { print, readConfig, withStore, type Shell } from '../shell.js'
import { toCredits } from '../../../../core/store/amount.js'
import { shownRef, withShownRefs } from '../../../../core/credits/references.js'
import type { Entry, LedgerStore } from '../../../../core/store/types.js'

const PAGE = 1000

/** `capstan ledger check|export`. */
export function addLedger(program: Command, shell: Shell): void {
  const ledger = program.command('ledger').description('the ledger: every change of credits')
  examples(ledger, 'capstan ledger check')
  addCheck(ledger, shell)
  addExport(ledger, shell)
}

function addCheck(ledger: Command, shell: Shell): void {
  const command = ledger.command('check').description('verify that balances, holds and entries agree')
  examples(command, 'capstan ledger check --json')
  command.action(async () => {
    const config = await readConfig(shell, command)
    const { ok, accounts, entries, problems: found } = await shell.parts.audit(config)
    const problems = found.map(withShownRefs)
    const words = `${entries} entries of ${accounts} accounts`
    if (!ok) {
      const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
      const head = `${count} in ${words} of ${masked(config.settings.store)} (CAPSTAN_STORE)`
      throw new Failure([head, ...problems].join('\n'), { ok, accounts, entries, problems })
    }
    await print(shell, command, { ok, accounts, entries, problems }, `in order: ${words}`)
  })
}

interface ExportOptions {
  readonly account?: string
  readonly format: 'ndjson' | 'csv'
}

function addExport(ledger: Command, shell: Shell): void {
  const command = ledger.command('export').description('export every entry, one JSON object per line or as CSV')
  command
    .option('--account <account>', 'id or name; all accounts by default')
    .addOption(new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'))
  examples(command, 'capstan ledger export --account default > ledger.ndjson', 'capstan ledger export --format csv > ledger.csv')
  command.action(async ({ account, format }: ExportOptions) => {
    await withStore(shell, command, async (store) => {
      const id = account === undefined ? undefined : (await findAccount(store, account)).id
      if (format === 'csv') await shell.io.out(`${FIELDS.join(',')}\r\n`)
      for await (const entry of allEntries(store.ledger, id)) {
        const row = line(entry)
        await shell.io.out(format === 'csv' ? `${FIELDS.map((field) => csv(row[field])).join(',')}\r\n` : `${JSON.stringify(row)}\n`)
      }
    })
  })
}

async function* allEntries(ledger: LedgerStore, account: string | undefined): AsyncGenerator<Entry> {
  let last: Entry | undefined
  for (;;) {
    const page = await ledger.entries({
      limit: PAGE,
      ...(account === undefined ? {} : { account }),
      ...(last === undefined ? {} : { afterSeq: last.seq, afterAccount: last.account }),
    })
    yield* page
    last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
  }
}

const FIELDS = ['account', 'seq', 'kind', 'ref', 'amount', 'after', 'at', 'request_id', 'capability', 'endpoint', 'key_id'] as const

function line({
  account,
  seq,
  kind,
  ref,
  amount,
  after,
  at,
  facts,
}: Entry): Readonly<Record<(typeof FIELDS)[number], string | number | null>> {
  return {
    account,
    seq,
    kind,
    ref: shownRef(ref),
    amount: toCredits(amount),
    after: toCredits(after),
    at: new Date(at).toISOString(),
    request_id: facts?.request_id ?? null,
    capability: facts?.capability ?? null,
    endpoint: facts?.endpoint ?? null,
    key_id: facts?.key_id ?? null,
  }
}

/** One cell by RFC 4180; a value that a spreadsheet would run as a formula is prefixed with a quote. */
function csv(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
