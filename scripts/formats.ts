import { parseArgs } from 'node:util'
import { Walk, type Trial } from './formats/walk.js'
import { FormatWorld } from './formats/world.js'

const HELP = `Converts a file of every format of POST /v1/files/convert through a gateway, as source and as target, and checks each result.

  node dist/scripts/formats.js [--engine ffmpeg,sharp] [--verbose] [--least 200]

Prints how many formats were reached and by which engines, and what failed; fails when it is fewer than --least.
`

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    least: { type: 'string', default: '200' },
    help: { type: 'boolean' },
  },
})
const write = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

function summary(trials: readonly Trial[]): string[] {
  const engines = [...new Set(trials.map(({ engine }) => engine))]
  return engines.map((engine) => {
    const good = trials.filter((trial) => trial.engine === engine && trial.failure === null)
    const formats = new Set(good.flatMap(({ from, to }) => [from, to]))
    const times = good.map(({ ms }) => ms).sort((one, other) => one - other)
    const median = times[Math.floor(times.length / 2)] ?? 0
    return `| ${engine} | ${String(formats.size)} | ${String(good.length)} | ${median.toFixed(0)} ms |`
  })
}

async function main(): Promise<void> {
  const world = await FormatWorld.start()
  try {
    const pairs = await world.pairs()
    const engines = values.engine === '' ? [] : values.engine.split(',')
    const walk = new Walk(world, { pairs, engines, say: values.verbose ? write : () => undefined })
    await walk.run()
    const failed = walk.trials.filter(({ failure }) => failure !== null)
    for (const { from, to, engine, failure } of failed) write(`FAILED ${from} to ${to} by ${engine}: ${failure ?? ''}`)
    write(['', '| engine | formats | pairs tried | median |', '|---|---|---|---|', ...summary(walk.trials)].join('\n'))
    write(`\n${String(walk.reached.length)} formats: ${walk.reached.join(' ')}`)
    const listed = [...pairs.values()].reduce((sum, direct) => sum + direct.length, 0)
    write(`${String(walk.trials.length)} of ${String(listed)} pairs of one step tried, ${String(failed.length)} failed`)
    if (failed.length > 0 || walk.reached.length < Number(values.least)) process.exitCode = 1
  } finally {
    await world.close()
  }
}

if (values.help === true) process.stdout.write(HELP)
else await main()
