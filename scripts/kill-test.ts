import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killTest } from '../test/support/store-kill.js'

const HELP = `Kills a ledger process with SIGKILL while 16 clients work, recovers, and audits; again and again on one store: a file of its own, or an empty database.

  node dist/scripts/kill-test.js [--cycles 200] [--folder DIR] [--store mongodb://…/EMPTY]

Exits 1 when anything but the answers that were seen and refunded all the same is not zero.
`

const options = {
  cycles: { type: 'string', default: '200' },
  folder: { type: 'string', default: tmpdir() },
  store: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const
const { values } = parseArgs({ options })
if (values.help) console.log(HELP)
else {
  const folder = mkdtempSync(join(values.folder, 'capstan-kill-'))
  const began = performance.now()
  const onCycle = (report: { cycles: number; charges: number }) => {
    if (report.cycles % 20 === 0) console.log(`${report.cycles} cycles, ${report.charges} charges`)
  }
  const report = await killTest({
    setting: values.store === '' ? `sqlite:${join(folder, 'ledger.db')}` : values.store,
    cycles: Number(values.cycles),
    onCycle,
  })
  const { problems, ...figures } = report
  console.log(JSON.stringify({ ...figures, problems: problems.length, seconds: Math.round((performance.now() - began) / 1000) }, null, 2))
  for (const problem of problems.slice(0, 20)) console.log(problem)
  const { drift, duplicateCharges, chargedButNotDelivered, lost, deliveredAndRefunded, stillHeld } = report
  const bad = drift + duplicateCharges + chargedButNotDelivered + lost + deliveredAndRefunded + stillHeld + problems.length
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = bad === 0 ? 0 : 1
}
