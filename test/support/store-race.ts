import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { openSqliteStore } from '../../core/store/sqlite/store.js'
import { furnish } from './store.js'

export interface RaceOptions {
  readonly file: string
  readonly rounds: number
  /** Calls at once, over all processes. */
  readonly calls: number
  /** Calls the account has money for. */
  readonly paid: number
  /** Gateways on the one file, each a process. */
  readonly processes: number
  readonly onRound?: (round: number) => void
}

export interface RaceReport {
  rounds: number
  /** Rounds in which exactly the paid calls got through and all others were refused for lack of credits. */
  exact: number
  ok: number
  insufficient: number
  other: number
  problems: string[]
}

interface Gateway {
  send(line: string): Promise<Record<string, number>>
  end(): Promise<void>
}

async function gateway(file: string): Promise<Gateway> {
  const script = fileURLToPath(new URL('./store-race-child.js', import.meta.url))
  const child = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => {
    const line = await lines.next()
    if (line.done === true) throw new Error('a gateway of the race ended')
    return JSON.parse(line.value) as Record<string, number>
  }
  await answer()
  const send = (line: string) => {
    child.stdin.write(`${line}\n`)
    return answer()
  }
  const end = async () => {
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  }
  return { send, end }
}

/** Many calls at once on an account with money for a few, round after round, by one or more processes on one file. */
export async function raceTest(options: RaceOptions): Promise<RaceReport> {
  const store = await openSqliteStore({ file: options.file, thread: 'same', busyMs: 30_000 })
  const gateways = await Promise.all(Array.from({ length: options.processes }, () => gateway(options.file)))
  const report: RaceReport = { rounds: 0, exact: 0, ok: 0, insufficient: 0, other: 0, problems: [] }
  try {
    for (let round = 1; round <= options.rounds; round++) {
      const account = `race_${round}`
      await furnish(store, options.paid * 1000, account)
      const share = Math.ceil(options.calls / options.processes)
      const counts = await Promise.all(gateways.map((one) => one.send(`${account} ${share}`)))
      const sum = (outcome: string) => counts.reduce((total, count) => total + (count[outcome] ?? 0), 0)
      const [ok, insufficient, all] = [sum('ok'), sum('insufficient'), share * options.processes]
      report.rounds += 1
      report.ok += ok
      report.insufficient += insufficient
      report.other += all - ok - insufficient
      if (ok === options.paid && insufficient === all - options.paid) report.exact += 1
      options.onRound?.(round)
    }
  } finally {
    await Promise.all(gateways.map((one) => one.end()))
    await store.close()
  }
  report.problems.push(...auditLedger({ file: options.file }).problems)
  return report
}
