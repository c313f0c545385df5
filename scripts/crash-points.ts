import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CRASH_POINTS } from '../test/support/crash-points.js'
import { crashRun } from '../test/support/crash-run.js'
import { Progress } from './progress.js'

const HELP = `node dist/scripts/crash-points.js [--runs 50] [--most 20] [POINT...]

Kills a gateway on SQLite at each labelled point of a call, so many times: the point is reached between once and --most times before, a
number that differs from run to run. Each time it is started again, calls under an Idempotency-Key that were not answered are sent
again, and the ledger is held against what the clients saw: nobody pays twice or for nothing, nothing stays held. What is seen and yet
given back is the operator's loss; printed is how long before the kill such an answer came at most. Exits 1 when there is a violation.

Points: ${CRASH_POINTS.join(', ')}

Example: node dist/scripts/crash-points.js --runs 5 'after charge' 'first byte'
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '50' },
    most: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(HELP)
else process.exitCode = await main(positionals, Number(values.runs), Number(values.most))

async function main(args: readonly string[], runs: number, most: number): Promise<number> {
  const points = args.length === 0 ? CRASH_POINTS : CRASH_POINTS.filter((point) => args.includes(point))
  const unknown = args.filter((name) => !points.some((point) => point === name))
  if (unknown.length > 0) throw new Error(`there is no point ${unknown.join(', ')}; there are ${CRASH_POINTS.join(', ')}`)
  const progress = new Progress(points.length * runs, 'kills')
  let violations = 0
  let answers = 0
  const givenBack: number[] = []
  for (const [index, point] of points.entries())
    for (let run = 0; run < runs; run++) {
      progress.at(index * runs + run)
      const folder = mkdtempSync(join(tmpdir(), 'capstan-crash-'))
      const times = 1 + ((run * 7) % most)
      const report = await crashRun(folder, point, times).finally(() => rmSync(folder, { recursive: true, force: true }))
      answers += report.answers
      if (report.givenBackMs > 0) givenBack.push(report.givenBackMs)
      violations += report.problems.length
      for (const problem of report.problems) process.stdout.write(`${point}, time ${times}: ${problem}\n`)
    }
  const worst = givenBack.length === 0 ? 'none' : `the oldest ${Math.max(...givenBack).toFixed(0)} ms before the kill`
  process.stdout.write(
    `${points.length} points, ${runs} kills each: ${answers} answers, ${violations} violations; answered and given back in ${givenBack.length} kills, ${worst}\n`,
  )
  return violations === 0 ? 0 : 1
}
