import { parseArgs } from 'node:util'
import { allTrips } from '../test/support/conversions/trips/all.js'
import type { Trip } from '../test/support/conversions/trips/types.js'
import { Walk, type EngineWalk } from '../test/support/conversions/walk.js'

const HELP = `Converts a file of every format of every local engine of POST /v1/files/convert through a gateway, as source and as target, and reads each result back.

  node dist/scripts/formats.js [--engine libreoffice,ffmpeg] [--only docx] [--at-once 1] [--verbose] [--least 200]

Prints what failed, the notes of the answers, a table of the engines and the formats that were reached. Fails when a conversion failed, or when fewer formats than --least were
reached. --only takes the ways on which one of these formats is, --at-once
goes several of them side by side, and --verbose prints each pair with its time.
`

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    least: { type: 'string', default: '200' },
    help: { type: 'boolean' },
  },
})
const write = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

function row({ engine, formats, pairs, times }: EngineWalk): string {
  const median = [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
  return `| ${engine} | ${String(formats.size)} | ${String(pairs)} | ${median.toFixed(0)} ms |`
}

async function main(): Promise<void> {
  const chosen = values.engine.split(',').filter((id) => id !== '')
  const only = values.only.split(',').filter((id) => id !== '')
  const wanted = ({ engine, steps }: Trip): boolean =>
    (chosen.length === 0 || chosen.includes(engine)) &&
    (only.length === 0 || steps.some(({ from, to }) => only.includes(from) || only.includes(to)))
  const trips = (await allTrips()).filter(wanted)
  const walk = new Walk(values.verbose ? write : () => undefined, Number(values['at-once']))
  const walked: EngineWalk[] = []
  for (const engine of new Set(trips.map((trip) => trip.engine))) walked.push(await walk.engine(engine, trips))
  const failures = walked.flatMap(({ engine, failures: own }) => own.map((failure) => `${engine} ${failure}`))
  const reached = [...new Set(walked.flatMap(({ formats }) => [...formats]))].sort()
  for (const failure of failures) write(`FAILED ${failure}`)
  for (const { engine, noted } of walked) for (const note of noted) write(`NOTE ${engine} ${note}`)
  write(['', '| engine | formats | pairs tried | median |', '|---|---|---|---|', ...walked.map(row)].join('\n'))
  write(`| all | ${String(reached.length)} | ${String(walked.reduce((sum, { pairs }) => sum + pairs, 0))} | |`)
  write(`\n${String(reached.length)} formats: ${reached.join(' ')}`)
  write(`${String(failures.length)} failed`)
  if (failures.length > 0 || (only.length === 0 && chosen.length === 0 && reached.length < Number(values.least))) process.exitCode = 1
}

if (values.help === true) process.stdout.write(HELP)
else await main()
