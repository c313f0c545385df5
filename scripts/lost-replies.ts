import { parseArgs } from 'node:util'
import { endMongo, temporaryMongo } from '../test/support/mongodb.js'
import { lostReplies } from '../test/support/lost-replies.js'
import { mongoLink, sqliteLink, type LossyLink } from '../test/support/lost-replies-links.js'
import { Progress } from './progress.js'

const HELP = `Loses messages between a gateway and its ledger, before and after they were carried out, at every command it sends, and audits.

  node dist/scripts/lost-replies.js [--count 2000] [--seed N] [--hits] [--sqlite]

With --sqlite the messages are those between the gateway and the ledger's thread; otherwise those to MongoDB. Uses the server of CAPSTAN_TEST_MONGODB, or starts secantusd-py (CAPSTAN_TEST_SECANTUSD, .venv/bin, PATH). --hits lists the commands that were hit.
Exits 1 when there is a violation.
`

const options = {
  count: { type: 'string', default: '2000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  hits: { type: 'boolean', default: false },
  sqlite: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const
const { values } = parseArgs({ options })

async function openLink(sqlite: boolean): Promise<{ link: LossyLink; end: () => Promise<void> }> {
  if (sqlite) return { link: await sqliteLink(), end: () => Promise.resolve() }
  const { uri, drop } = await temporaryMongo()
  const end = async (): Promise<void> => {
    await drop()
    await endMongo()
  }
  return { link: await mongoLink(uri), end }
}

if (values.help) console.log(HELP)
else {
  const [count, seed] = [Number(values.count), Number(values.seed)]
  const began = performance.now()
  const { link, end } = await openLink(values.sqlite)
  try {
    const progress = new Progress(count, 'messages lost')
    const report = await lostReplies({ link, count, seed, onProgress: (lost) => progress.at(lost) })
    const { lost, carriedOut, calls, audits, forgiven, hits, violations } = report
    const seconds = Math.round((performance.now() - began) / 1000)
    if (values.hits)
      for (const [command, times] of Object.entries(hits).sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${command}: ${times}`)
    for (const violation of violations.slice(0, 50)) console.log(violation)
    const kinds = Object.keys(hits).length
    console.log(
      `${lost} messages lost (${carriedOut} after the command was carried out) at ${kinds} kinds of commands in ${calls} calls, ${audits} audits: ${violations.length} violations, ${forgiven.length} seen and not paid for, seed ${seed}, ${seconds} s`,
    )
    process.exitCode = violations.length === 0 ? 0 : 1
  } finally {
    await end()
  }
}
