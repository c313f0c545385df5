import { parseArgs } from 'node:util'
import { findProgram } from '../../../core/exec/programs.js'
import { residentMib } from '../../gateway/process.js'
import { enginesMib, wholeCpuMs } from '../engines.js'
import { median, row, tableHead, unmeasured, type Say } from '../files/figure.js'
import { flatRows, flatScenes, scenes, type Scene } from './scenes.js'
import { withCutouts, type CutoutWorld } from './world.js'

const HELP = `npm run bench:cutout -- [--only NAME,NAME] [--pictures 27] [--long 200] [--seed 1] [--each]

Composes pictures whose subject is known to the pixel (people, products, animals, drawn, before backgrounds as photographs have them, and before one
colour), and asks a gateway of this build for each cutout. Needs the engine pack: npm run tools -- cutout.

composed    intersection over union with the truth by the vendor cutout, and the processor time of a picture
memory      what the gateway and the process of the model hold after 50 pictures and after all
direct      all of it without a gateway, for a machine that is too busy for its limits of time
flat        the same subjects before one colour, by the vendor flat

--only      these parts alone
--pictures  composed pictures of each kind of background
--long      pictures for the memory
--seed      of the pictures
--each      a line for each picture

  npm run bench:cutout -- --only composed,flat --pictures 54 --seed 2
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    pictures: { type: 'string', default: '27' },
    long: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    each: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const say: Say = (line) => void process.stdout.write(`${line}\n`)
const [count, long, seed] = [Number(values.pictures), Number(values.long), Number(values.seed)]
/** Pictures before the first reading of the memory. */
const EARLY = 50

/** Parts that are run where none is named: `direct` has the figures of others. */
const USUAL = ['composed', 'memory', 'flat']
const PARTS: Readonly<Record<string, { readonly vendor: string; readonly run: ((world: CutoutWorld) => Promise<void>) | 'direct' }>> = {
  composed: { vendor: 'cutout', run: composed },
  memory: { vendor: 'cutout', run: memory },
  direct: { vendor: 'cutout', run: 'direct' },
  flat: { vendor: 'flat', run: flat },
}
// The part `direct` is the last: no scenes can be drawn behind it.
const names =
  values.only === '' ? USUAL : values.only.split(',').sort((one, other) => Number(one === 'direct') - Number(other === 'direct'))
const isSound = [count, seed].every(Number.isInteger) && count > 0 && Number.isInteger(long) && long > EARLY + 1
if (values.help) process.stdout.write(HELP)
else if (!isSound || names.some((name) => !(name in PARTS))) {
  process.stderr.write(HELP)
  process.exitCode = 2
} else await main()

async function main(): Promise<void> {
  say(tableHead(`seed ${String(seed)}`))
  for (const name of names) {
    const part = PARTS[name]
    if (part === undefined) continue
    if (part.vendor === 'cutout' && findProgram('cutout', undefined) === undefined)
      say(unmeasured(name, 'the engine pack cutout is not there'))
    else if (part.run === 'direct') await direct()
    else await withCutouts(part.vendor, part.run)
  }
}

/** Steps of the plugin forbid the library of pictures to read SVG, of which scenes are made: they are loaded when those are there. */
async function direct(): Promise<void> {
  const [pictures, flats] = [await scenes(seed, count), await flatScenes(seed, count)]
  const { benchDirect } = await import('./direct.js')
  await benchDirect(say, { pictures, flats, long, each: values.each })
}

async function composed(world: CutoutWorld): Promise<void> {
  const pictures = await scenes(seed, count)
  // The first picture starts the process of the model.
  await valuesOf(world, pictures.slice(0, 1), () => undefined)
  const before = wholeCpuMs(world.pid)
  const found = await valuesOf(world, pictures)
  const cpu = (wholeCpuMs(world.pid) - before) / pictures.length / 1_000
  say(row(`cutout: IoU of ${String(pictures.length)} pictures, median`, median(found), { least: 0.95, unit: '' }))
  for (const kind of ['people', 'products', 'animals'] as const)
    say(row(`cutout: ${kind}, median`, median(found.filter((_, at) => pictures[at]?.kind === kind)), { unit: '' }))
  const bad = found.filter((value) => value < 0.9).length
  say(row('cutout: pictures below 0.9, no-result among them', bad, { unit: `of ${String(pictures.length)}` }))
  say(row('cutout: processor time of a picture, all processes', cpu, { most: 4, unit: 's' }))
}

async function memory(world: CutoutWorld): Promise<void> {
  const pictures = await scenes(seed, Math.min(count, long))
  const sizes = { gateway: { early: 0, late: 0 }, engine: { early: 0, late: 0 } }
  for (let done = 1; done <= long; done++) {
    await valuesOf(
      world,
      [pictures[done % pictures.length] ?? pictures[0]].flatMap((each) => each ?? []),
      () => undefined,
    )
    // The process ends after its 200th picture.
    const when = done === EARLY ? 'early' : done === long - 1 ? 'late' : null
    if (when === null) continue
    sizes.gateway[when] = residentMib(world.pid)
    sizes.engine[when] = enginesMib(world.pid)
  }
  for (const [what, { early, late }] of [
    ['the gateway', sizes.gateway],
    ["the model's process", sizes.engine],
  ] as const) {
    say(row(`memory of ${what} after ${String(EARLY)} pictures`, early, { unit: 'MiB' }))
    say(row(`memory of ${what} after ${String(long - 1)}`, late, { most: Math.ceil(early * 1.1), unit: 'MiB' }))
  }
}

async function flat(world: CutoutWorld): Promise<void> {
  const pictures = await flatScenes(seed, count)
  const before = wholeCpuMs(world.pid)
  const found = await valuesOf(world, pictures)
  flatRows(say, found)
  const cpu = (wholeCpuMs(world.pid) - before) / pictures.length / 1_000
  say(row('flat: processor time of a picture, all processes', cpu, { unit: 's' }))
}

async function valuesOf(
  world: CutoutWorld,
  pictures: readonly Scene[],
  report: Say = values.each ? say : () => undefined,
): Promise<number[]> {
  const found: number[] = []
  for (const scene of pictures) {
    const value = await world.cut(scene)
    report(`  ${scene.name}: ${value.toFixed(3)}`)
    found.push(value)
  }
  return found
}
