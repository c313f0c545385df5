import { rmSync } from 'node:fs'
import { residentMib } from '../gateway/process.js'
import { closedLoop } from './closed-loop.js'
import { startMeasured, type Measured } from './gateway.js'
import { fillLedger } from './ledger.js'

const PARTS = 10
/** Readings of the memory within a part. */
const READINGS = 10
const KEYS = 8

/** Prints the resident memory of a gateway over so many paid calls, and that of the last tenth beside the first. */
export async function measureMemory(calls: number, folder: string): Promise<void> {
  const filled = await fillLedger(folder, { entries: 0, accounts: 1, keys: KEYS })
  const data = filled.copy()
  try {
    const gateway = await startMeasured(data)
    await print(gateway, filled.keys, calls).finally(() => gateway.stop())
  } finally {
    filled.remove()
    rmSync(data, { recursive: true })
  }
}

async function print({ pid, sender }: Measured, keys: readonly string[], calls: number): Promise<void> {
  process.stdout.write('\n| calls made | resident MiB, median | most | x first tenth |\n|---|---|---|---|\n')
  let first = 0
  for (let part = 1; part <= PARTS; part++) {
    const readings: number[] = []
    for (let reading = 0; reading < READINGS; reading++) {
      await closedLoop(sender, keys, Math.ceil(calls / PARTS / READINGS))
      readings.push(residentMib(pid))
    }
    readings.sort((a, b) => a - b)
    const middle = ((readings[READINGS / 2 - 1] ?? 0) + (readings[READINGS / 2] ?? 0)) / 2
    if (part === 1) first = middle
    const made = Math.ceil(calls / PARTS / READINGS) * READINGS * part
    process.stdout.write(
      `| ${made.toLocaleString('en')} | ${middle.toFixed(1)} | ${(readings.at(-1) ?? 0).toFixed(1)} | ${(middle / first).toFixed(3)} |\n`,
    )
  }
}
