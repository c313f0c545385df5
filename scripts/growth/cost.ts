import { rmSync } from 'node:fs'
import { cpuMs, residentMib } from '../gateway/process.js'
import { closedLoop, type ClosedFigures } from './closed-loop.js'
import { startMeasured } from './gateway.js'
import { fillLedger, type Filled, type Shape } from './ledger.js'

/** Something there may be more and more of. */
export interface Scale {
  readonly what: string
  readonly sizes: readonly number[]
  readonly shape: (size: number) => Shape
}

interface Figures extends ClosedFigures {
  readonly cpuMsPerCall: number
  readonly mib: number
  readonly readyMs: number
}

export interface GrowthOptions {
  readonly calls: number
  readonly rounds: number
  /** Larger sizes are left out. */
  readonly most: number
  readonly folder: string
}

/** One size on a copy of its ledger and a new process. */
async function measure(filled: Filled, calls: number): Promise<Figures> {
  const data = filled.copy()
  try {
    const gateway = await startMeasured(data)
    try {
      await closedLoop(gateway.sender, filled.keys, Math.max(Math.ceil(calls / 2), filled.keys.length))
      const before = cpuMs(gateway.pid)
      const figures = await closedLoop(gateway.sender, filled.keys, calls)
      return { ...figures, cpuMsPerCall: (cpuMs(gateway.pid) - before) / calls, mib: residentMib(gateway.pid), readyMs: gateway.readyMs }
    } finally {
      await gateway.stop()
    }
  } finally {
    rmSync(data, { recursive: true })
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}

/** Prints what a paid call costs at each size, with ratios against the smallest. */
export async function measureGrowth({ what, sizes, shape }: Scale, { calls, rounds, most, folder }: GrowthOptions): Promise<void> {
  const ledgers: { size: number; filled: Filled; rounds: Figures[] }[] = []
  try {
    for (const size of sizes.filter((each) => each <= most))
      ledgers.push({ size, filled: await fillLedger(folder, shape(size)), rounds: [] })
    for (let round = 0; round < rounds; round++)
      // Who begins changes from round to round.
      for (let turn = 0; turn < ledgers.length; turn++) {
        const ledger = ledgers[(round + turn) % ledgers.length]
        ledger?.rounds.push(await measure(ledger.filled, calls))
      }
  } finally {
    for (const { filled } of ledgers) filled.remove()
  }
  const [smallest] = ledgers
  if (smallest === undefined) return
  process.stdout.write(
    `\n${calls} calls, 16 at any moment, median of ${rounds} rounds\n| ${what} | requests/s | x smallest | p50 ms | p99 ms | x smallest | CPU ms a call | x smallest | resident MiB | ready after ms |\n|---|---|---|---|---|---|---|---|---|---|\n`,
  )
  for (const { size, rounds: all } of ledgers) {
    const figure = (pick: (figures: Figures) => number): number => median(all.map(pick))
    const ratio = (pick: (figures: Figures) => number): string =>
      median(all.map((figures, round) => pick(figures) / pick(smallest.rounds[round] ?? figures))).toFixed(2)
    const cells = [
      size.toLocaleString('en'),
      figure((one) => one.perSecond).toFixed(0),
      ratio((one) => one.perSecond),
      figure((one) => one.p50).toFixed(2),
      figure((one) => one.p99).toFixed(2),
      ratio((one) => one.p99),
      figure((one) => one.cpuMsPerCall).toFixed(3),
      ratio((one) => one.cpuMsPerCall),
      figure((one) => one.mib).toFixed(0),
      figure((one) => one.readyMs).toFixed(0),
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}
