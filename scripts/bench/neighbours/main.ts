import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { attacks } from './attacks.js'
import { Row } from './row.js'
import { measure } from './world.js'
import { kinds } from './quiet.js'

const HELP = `npm run bench:neighbours -- [--only NAME] [--rounds N] [--seconds N] [--minutes N] [--list]

One account makes quiet calls at a steady pace, of each kind: the echo capability, a small page fast and in the browser, a Python and a
JavaScript program, a second of sound converted; first alone, then beside each attack of another account, every time at a new gateway on SQLite with the limits that
an installation has without settings. Prints failures, p50 and p99 (nearest rank) in milliseconds and how many times the quiet p99 that
is. Attacks whose p99 is more than 3 times the quiet one get further rounds, --rounds (3) in all, and the best p99 of each kind counts;
failures of all rounds count. --seconds (8) is the time of a round; no round begins after --minutes (16). --only NAME runs the attacks
whose name contains it, --list names them. Ends with 1 when a quiet call failed, a p99 is more than 3 times the quiet one, or an attack
was not reached in time.
`

interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly minutes: number
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '16' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const wanted = attacks.map(({ name }) => name).filter((name) => name.includes(values.only))
if (values.help) process.stdout.write(HELP)
else if (values.list) process.stdout.write(`${wanted.join('\n')}\n`)
else process.exitCode = await main({ rounds: Number(values.rounds), seconds: Number(values.seconds), minutes: Number(values.minutes) })

async function main({ rounds, seconds, minutes }: Options): Promise<number> {
  const end = performance.now() + minutes * 60_000
  // Twice as long, for what all rows are held against.
  const quiet = await measure(null, seconds * 2)
  const rows = wanted.map((name) => new Row(name, quiet.figures))
  for (let round = 0; round < rounds; round++)
    for (const row of rows.filter(({ within }) => !within)) {
      if (performance.now() > end) break
      const found = await measure(row.name, seconds)
      row.add(found)
      process.stderr.write(`round ${round + 1}, ${row.name}: ${row.verdict()}; attacker ${found.attacker}\n`)
    }
  const alone = new Row('quiet', quiet.figures)
  alone.add(quiet)
  const bad = [alone, ...rows].filter(({ good }) => !good)
  const head = ['beside', 'failures', ...kinds.map(({ name }) => `${name}: p50, p99, times quiet`), '']
  process.stdout.write(
    `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}; ${seconds} s a round, times in ms.\n\n` +
      `| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}\n${[alone, ...rows].map((row) => row.line()).join('\n')}\n\n` +
      `${rows.length} attacks, ${bad.length} rows with failures, over 3 times or not reached\n`,
  )
  return bad.length === 0 ? 0 : 1
}
