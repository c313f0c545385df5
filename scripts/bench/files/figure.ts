/** Prints one line. */
export type Say = (line: string) => void

/** Runs that are not counted, and runs that are. */
const WARM_UPS = 3
const RUNS = 20

/** Median milliseconds of 20 runs, after 3 that are not counted. */
export async function medianMs(run: () => Promise<unknown>, { warmUps = WARM_UPS, runs = RUNS } = {}): Promise<number> {
  for (let round = 0; round < warmUps; round++) await run()
  const times: number[] = []
  for (let round = 0; round < runs; round++) {
    const began = performance.now()
    await run()
    times.push(performance.now() - began)
  }
  return median(times)
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** A line of the table: what was measured, its goal, and whether it was met. */
export function row(name: string, value: number, goal: { readonly most?: number; readonly least?: number; readonly unit: string }): string {
  const { most = Infinity, least = -Infinity, unit } = goal
  const wanted = goal.most === undefined ? `at least ${least} ${unit}` : `at most ${most} ${unit}`
  return `| ${name} | ${digits(value)} ${unit} | ${wanted} | ${value <= most && value >= least ? 'met' : 'missed'} |`
}

function digits(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}
