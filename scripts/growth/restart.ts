import { rmSync } from 'node:fs'
import { startMeasured } from './gateway.js'
import { fillLedger } from './ledger.js'

interface RestartOptions {
  readonly entries: number
  readonly rounds: number
  readonly folder: string
}

const ACCOUNTS = 100
const HOLDS = 10_000

/** Prints after how long a gateway listens that is started on a large ledger, without holds of one that was killed and with 10,000 of them. */
export async function measureRestart({ entries, rounds, folder }: RestartOptions): Promise<void> {
  process.stdout.write('\n| entries | open holds | ready after ms, median | most |\n|---|---|---|---|\n')
  for (const holds of [0, HOLDS]) {
    const filled = await fillLedger(folder, { entries, accounts: ACCOUNTS, keys: 1, holds })
    const times: number[] = []
    try {
      for (let round = 0; round < rounds; round++) times.push(await readyMs(filled.copy()))
    } finally {
      filled.remove()
    }
    times.sort((a, b) => a - b)
    const cells = [
      entries.toLocaleString('en'),
      holds.toLocaleString('en'),
      times[Math.floor((rounds - 1) / 2)]?.toFixed(0),
      times.at(-1)?.toFixed(0),
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}

async function readyMs(data: string): Promise<number> {
  try {
    const gateway = await startMeasured(data)
    await gateway.stop()
    return gateway.readyMs
  } finally {
    rmSync(data, { recursive: true })
  }
}
