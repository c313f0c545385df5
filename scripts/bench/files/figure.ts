import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { packageRoot } from '../../../core/runtime/root.js'

/** Prints one line. */
export type Say = (line: string) => void

/** Runs that are not counted, and runs that are. */
const WARM_UPS = 3
const RUNS = 20

/** Median milliseconds of 20 runs, after 3 that are not counted; with so many milliseconds of rest between two. */
export async function medianMs(run: () => Promise<unknown>, { restMs = 0 } = {}): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < WARM_UPS + RUNS; round++) {
    const began = performance.now()
    await run()
    if (round >= WARM_UPS) times.push(performance.now() - began)
    if (restMs > 0) await pause(restMs)
  }
  return median(times)
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** The lines above a table: the machine, its load, Node and the commit, `changed` where files differ from it; and the head of the table. */
export function tableHead(...more: readonly string[]): string {
  const machine = `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), load ${loadavg()[0]?.toFixed(1) ?? ''}`
  const facts = [machine, `Node ${process.version}`, commit(), ...more].join(', ')
  return `${facts}.\n\n| what | measured | goal | |\n|---|---|---|---|`
}

function commit(): string {
  const git = (...args: string[]): string => spawnSync('git', args, { cwd: packageRoot(), encoding: 'utf8' }).stdout?.trim() ?? ''
  const name = git('rev-parse', '--short', 'HEAD')
  if (name === '') return 'no commit'
  return `commit ${name}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', changed'}`
}

/** A line of the table for what could not be measured here. */
export function unmeasured(name: string, why: string): string {
  return `| ${name} | not measured: ${why} | | |`
}

interface Goal {
  readonly most?: number
  readonly least?: number
  readonly unit: string
}

/** A line of the table: what was measured, its goal where there is one, and whether it was met. */
export function row(name: string, value: number, { most, least, unit }: Goal): string {
  const goal = most !== undefined ? `at most ${most} ${unit}` : least !== undefined ? `at least ${least} ${unit}` : ''
  const met = value <= (most ?? Infinity) && value >= (least ?? -Infinity)
  return `| ${name} | ${digits(value)} ${unit} | ${goal} | ${goal === '' ? '' : met ? 'met' : 'missed'} |`
}

function digits(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}
