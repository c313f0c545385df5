import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endMongo, temporaryMongo } from '../test/support/mongodb.js'
import { outage } from '../test/support/outage.js'
import { mongoOutageLink, sqliteOutageLink, type OutageLink } from '../test/support/outage-link.js'
import { Progress } from './progress.js'

const HELP = `Takes the ledger away from a gateway under load for long, gives it back, and audits. Time passes by the gateway's clock, as fast as the calls can be made.

  node dist/scripts/outage.js [--seconds 1800] [--calls 1000] [--mongodb]

--calls are begun in a second. With --mongodb the ledger is the server of CAPSTAN_TEST_MONGODB, or secantusd-py (CAPSTAN_TEST_SECANTUSD, .venv/bin, PATH); otherwise an embedded one.
Exits 1 when a request is not paid for exactly when it was answered, or the auditor finds a problem.
`

const options = {
  seconds: { type: 'string', default: '1800' },
  calls: { type: 'string', default: '1000' },
  mongodb: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const
const { values } = parseArgs({ options })

async function openLink(mongodb: boolean): Promise<{ link: OutageLink; end: () => Promise<void> }> {
  if (!mongodb) {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-outage-'))
    return {
      link: await sqliteOutageLink(join(folder, 'capstan.db')),
      end: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    }
  }
  const { uri, drop } = await temporaryMongo()
  const end = async (): Promise<void> => {
    await drop()
    await endMongo()
  }
  return { link: await mongoOutageLink(uri), end }
}

if (values.help) console.log(HELP)
else {
  const [seconds, callsPerSecond] = [Number(values.seconds), Number(values.calls)]
  const { link, end } = await openLink(values.mongodb)
  try {
    const progress = new Progress(seconds, 'seconds away')
    const report = await outage({ link, seconds, callsPerSecond, onProgress: (passed) => progress.at(passed) })
    const { calls, refused, reversals, deliveries, dropped, grownMiB, settledSeconds, problems } = report
    for (const problem of problems.slice(0, 50)) console.log(problem)
    console.log(
      `ledger away for ${seconds} s, ${calls} calls, ${refused} answered 503; at most ${reversals} to be undone and ${deliveries} to be marked at once, ${dropped} left to the sweeper; heap grown by ${grownMiB.toFixed(1)} MiB; all settled ${settledSeconds} s after its return; ${problems.length} problems`,
    )
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await end()
  }
}
