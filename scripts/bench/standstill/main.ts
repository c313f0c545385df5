import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { bodies } from './bodies.js'
import { measure, type Measured } from './measure.js'
import { files, pages } from './pages.js'
import { replies } from './replies.js'
import type { Shape } from './shape.js'

const HELP = `npm run bench:standstill -- [--only NAME] [--list]

Sends shapes that try to hold the gateway up, each alone to a new gateway on SQLite: bodies, pages, documents and replies of vendors up to
their limits. Prints the longest turn of the gateway's main thread, in processor time, and the growth of its memory, and ends with 1
when a turn is longer than 50 ms, the memory grows by more than 100 MiB, or an answer is not the expected one. A shape over a limit is
sent to further gateways, three in all unless --tries says otherwise, and the best counts: other work on the machine makes turns longer,
never shorter. --only NAME runs those whose name contains it, --list names them.
`
const TURN_MS = 50
const GROWTH_MIB = 100

const shapes: readonly Shape[] = [...bodies, ...pages, ...files, ...replies]

function fits({ turnMs, mib }: Measured): boolean {
  return turnMs <= TURN_MS && mib <= GROWTH_MIB
}

async function best(shape: Shape, tries: number): Promise<Measured> {
  let found = await measure(shape)
  for (let round = 1; round < tries && !fits(found); round++) {
    const again = await measure(shape)
    found = { ...again, turnMs: Math.min(found.turnMs, again.turnMs), mib: Math.min(found.mib, again.mib) }
  }
  return found
}

async function table(wanted: readonly Shape[], tries: number): Promise<number> {
  process.stdout.write(
    `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}; at most ${TURN_MS} ms and ${GROWTH_MIB} MiB.\n\n` +
      '| shape | longest turn, ms | memory, MiB | status | answer, ms | |\n|---|---|---|---|---|---|\n',
  )
  let failed = 0
  for (const shape of wanted) {
    const measured = await best(shape, tries)
    const { status, said, turnMs, mib, answerMs } = measured
    const faults = [
      ...(turnMs > TURN_MS ? ['turn too long'] : []),
      ...(mib > GROWTH_MIB ? ['too much memory'] : []),
      ...(shape.status.includes(status) ? [] : [`not ${shape.status.join(' or ')}: ${said}`]),
    ]
    if (faults.length > 0) failed++
    const cells = [shape.name, turnMs.toFixed(0), mib.toFixed(0), status, answerMs.toFixed(0), faults.join(', ')]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
  process.stdout.write(`\n${wanted.length} shapes, ${failed} over a limit or answered wrongly\n`)
  return failed
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    tries: { type: 'string', default: '3' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const wanted = shapes.filter(({ name }) => name.includes(values.only))
if (values.help) process.stdout.write(HELP)
else if (values.list) process.stdout.write(`${wanted.map(({ name }) => name).join('\n')}\n`)
else process.exitCode = (await table(wanted, Number(values.tries))) > 0 ? 1 : 0
