import { parseArgs } from 'node:util'
import { ConversionWorld } from '../test/support/conversions/world.js'
import { archives } from '../test/support/conversions/trips/archives.js'
import { books } from '../test/support/conversions/trips/calibre.js'
import { pictures } from '../test/support/conversions/trips/imagemagick.js'
import { pages } from '../test/support/conversions/trips/pages.js'
import { markup } from '../test/support/conversions/trips/pandoc.js'
import type { Trip } from '../test/support/conversions/trips/types.js'

const HELP = `Converts a sample of every format of the local engines, and the results back, through a gateway; checks every file.

  node dist/scripts/conversions.js [--engine pandoc] [--verbose]

Prints what failed, with --verbose every pair with its time, and counts the formats of which a file was read or made.
`

async function trip(world: ConversionWorld, { data, steps, engine }: Trip, verbose: boolean): Promise<string[]> {
  let current = data
  for (const { from, to, check } of steps) {
    const made = await world.convert({ data: current, from, to })
    if (made.engine !== engine) throw new Error(`${from} to ${to}: made by ${made.engine}`)
    try {
      await check?.(made.bytes, made.name)
    } catch (error) {
      throw new Error(`${from} to ${to}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`, { cause: error })
    }
    if (verbose) process.stdout.write(`  ${engine} ${from} to ${to} ${made.ms.toFixed(0)} ms, ${String(made.bytes.length)} bytes\n`)
    current = made.bytes
  }
  return steps.flatMap(({ from, to }) => [from, to])
}

async function engineTrips(
  engine: string,
  trips: readonly Trip[],
  verbose: boolean,
): Promise<{ formats: Set<string>; failures: string[]; pairs: number }> {
  const formats = new Set<string>()
  const failures: string[] = []
  let pairs = 0
  const world = await ConversionWorld.start(engine)
  try {
    for (const each of trips)
      try {
        for (const id of await trip(world, each, verbose)) formats.add(id)
        pairs += each.steps.length
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error))
      }
  } finally {
    await world.close()
  }
  return { formats, failures, pairs }
}

const { values } = parseArgs({
  options: { engine: { type: 'string' }, verbose: { type: 'boolean', default: false }, help: { type: 'boolean' } },
})
if (values.help === true) process.stdout.write(HELP)
else {
  const all = [...markup(), ...(await pictures()), ...(await books()), ...archives(), ...pages()]
  const engines = [...new Set(all.map(({ engine }) => engine))].filter((id) => values.engine === undefined || values.engine === id)
  const reached = new Set<string>()
  for (const id of engines) {
    const own = all.filter(({ engine }) => engine === id)
    const began = performance.now()
    const { formats, failures, pairs } = await engineTrips(id, own, values.verbose)
    for (const format of formats) reached.add(format)
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    process.stdout.write(
      `${id}: ${String(pairs)} conversions in ${seconds} s, ${String(formats.size)} formats: ${[...formats].join(' ')}\n`,
    )
    for (const failure of failures) process.stdout.write(`  FAILED ${failure}\n`)
    if (failures.length > 0) process.exitCode = 1
  }
  process.stdout.write(`${String(reached.size)} formats\n`)
}
