import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { raceTest } from '../test/support/store-race.js'

const HELP = `Many holds at once on an account with money for a few: exactly those succeed, in every round.

  node dist/scripts/race-test.js [--rounds 100] [--calls 500] [--paid 10] [--processes 2] [--folder DIR]

Exits 1 when a round was not exact or the auditor finds a problem.
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    calls: { type: 'string', default: '500' },
    paid: { type: 'string', default: '10' },
    processes: { type: 'string', default: '2' },
    folder: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else {
  const folder = mkdtempSync(join(values.folder, 'capstan-race-'))
  const began = performance.now()
  const [rounds, calls, paid, processes] = [values.rounds, values.calls, values.paid, values.processes].map(Number)
  const size = { rounds: rounds ?? 0, calls: calls ?? 0, paid: paid ?? 0, processes: processes ?? 0 }
  const { problems, ...figures } = await raceTest({ file: join(folder, 'ledger.db'), ...size })
  console.log(
    JSON.stringify({ ...size, ...figures, problems: problems.length, seconds: Math.round((performance.now() - began) / 1000) }, null, 2),
  )
  for (const problem of problems.slice(0, 20)) console.log(problem)
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = figures.exact === size.rounds && problems.length === 0 ? 0 : 1
}
