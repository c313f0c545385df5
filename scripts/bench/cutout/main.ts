import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { furnish } from '../../gateway/furnish.js'
import { startGateway } from '../../gateway/start.js'
import { median, row } from '../files/figure.js'
import { flatScenes, iou, scenes, type Scene } from './scenes.js'

const HELP = `npm run bench:cutout -- [--pictures 27] [--long 200] [--seed 1] [--each]

Composes pictures whose subject is known to the pixel (people, products, animals, drawn, before backgrounds as photographs have them, and before one
colour), asks a gateway of this build for each cutout, by cutout and by flat, and prints the intersection over union with the truth, the processor
time of a picture, and what the process of the model holds after 20 pictures and after all. Needs the engine pack: npm run tools -- cutout.

--pictures   composed pictures of each kind of background
--long       pictures for the memory of the process; 0 leaves it out
--seed       of the pictures
--each       a line for each picture
`
const { values } = parseArgs({
  options: {
    pictures: { type: 'string', default: '27' },
    long: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    each: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const TICKS = 100
const EARLY = 20
/** Times that a busy gateway is asked again. */
const BUSY_TRIES = 60

type Ask = (scene: Scene) => Promise<number>

if (values.help) process.stdout.write(HELP)
else await main()

async function main(): Promise<void> {
  const [count, long, seed] = [values.pictures, values.long, values.seed].map(Number)
  if (count === undefined || long === undefined || seed === undefined || ![count, long, seed].every(Number.isInteger)) throw new Error(HELP)
  const [many, flat] = [await scenes(seed, count), await flatScenes(seed, count)]
  say(`${String(cpus().length)} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}, seed ${String(seed)}.\n`)
  say('| what | figure | goal | |')
  say('|---|---|---|---|')
  await withGateway('cutout', async (ask, pid) => {
    const [first] = many
    if (first === undefined) return
    // The first picture starts the process of the model.
    await ask(first)
    const before = treeCpuMs(pid)
    const found = await asked(many, ask)
    const cpu = (treeCpuMs(pid) - before) / many.length / 1000
    say(row(`cutout: IoU of ${String(many.length)} pictures, median`, median(found), { least: 0.95, unit: '' }))
    for (const kind of ['people', 'products', 'animals'] as const)
      say(row(`cutout: ${kind}, median`, median(found.filter((_, at) => many[at]?.kind === kind)), { unit: '' }))
    say(
      row('cutout: pictures below 0.9, no-result among them', found.filter((value) => value < 0.9).length, {
        unit: `of ${String(many.length)}`,
      }),
    )
    say(row('cutout: processor time of a picture, all processes', cpu, { most: 4, unit: 's' }))
    if (long > EARLY) await memoryOver(long, many, ask)
  })
  await withGateway('flat', async (ask, pid) => {
    const before = treeCpuMs(pid)
    const found = await asked(flat, ask)
    say(row(`flat: IoU of ${String(flat.length)} pictures, median`, median(found), { least: 0.97, unit: '' }))
    say(row('flat: the worst', Math.min(...found), { unit: '' }))
    say(row('flat: processor time of a picture, all processes', (treeCpuMs(pid) - before) / flat.length / 1000, { unit: 's' }))
  })
}

async function asked(pictures: readonly Scene[], ask: Ask): Promise<number[]> {
  const found: number[] = []
  for (const scene of pictures) {
    const value = await ask(scene)
    if (values.each) say(`  ${scene.name}: ${value.toFixed(3)}`)
    found.push(value)
  }
  return found
}

async function memoryOver(count: number, pictures: readonly Scene[], ask: Ask): Promise<void> {
  let early = 0
  for (let at = 0; at < count; at++) {
    const scene = pictures[at % pictures.length]
    if (scene !== undefined) await ask(scene)
    if (at === EARLY) early = engineMib()
  }
  say(row(`cutout: memory of the model's process after ${String(EARLY)} pictures`, early, { unit: 'MiB' }))
  say(row(`cutout: and after ${String(count)} more or less, of which it takes 200`, engineMib(), { most: early * 1.1, unit: 'MiB' }))
}

/** A gateway in which one vendor alone cuts out. */
async function withGateway(vendor: string, work: (ask: Ask, pid: number) => Promise<void>): Promise<void> {
  let bytes: Buffer = Buffer.alloc(0)
  const site = await httpServer((_request, response) => void response.end(bytes))
  const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', env: { CAPSTAN_WATERFALL_IMAGES_REMOVE_BACKGROUND: vendor } })
  try {
    const [key = ''] = await furnish(gateway, 1)
    const ask: Ask = async (scene) => {
      bytes = scene.bytes
      for (let tries = 0; tries < BUSY_TRIES; tries++) {
        const reply = await fetch(`${gateway.url}/v1/images/remove-background`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ image_url: `${site.url}/picture` }),
        })
        const { data, error } = (await reply.json()) as {
          data: { image_base64: string } | null
          error: { type: string; detail: string } | null
        }
        if (data !== null)
          return iou(await sharp(Buffer.from(data.image_base64, 'base64')).extractChannel('alpha').raw().toBuffer(), scene.truth)
        // A mask that does not decide is a figure; a machine that is too busy is none.
        if (error?.type.endsWith('/no-result') === true && !/more (?:time|memory)/.test(error.detail)) return 0
        if (reply.status !== 503) throw new Error(`${scene.name}: ${String(reply.status)} ${error?.detail ?? ''}`)
        await pause(1_000 * Number(reply.headers.get('retry-after') ?? 1))
      }
      throw new Error(`${scene.name}: the machine is too busy`)
    }
    await work(ask, gateway.pid)
  } finally {
    await gateway.stop()
    await site.close()
  }
}

/** Processor time in milliseconds of a process, its descendants, and those that have ended and were waited for (proc(5): stat). */
function treeCpuMs(root: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const below = (pid: number): number[] => [pid, ...stats.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid))]
  const own = new Set(below(root))
  return (stats.filter(({ pid }) => own.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) * 1000) / TICKS
}

function statOf(pid: number): { pid: number; parent: number; ticks: number } | null {
  try {
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        ?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ticks }
  } catch (error) {
    // It has ended meanwhile.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null
    throw error
  }
}

/** Resident memory in MiB of the process in which the model runs. */
function engineMib(): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        const isEngine = words.includes('engine-process.js') && !words.includes('bwrap') && !words.startsWith('/bin/sh')
        return isEngine ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024 : 0
      } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0
        throw error
      }
    })
  return Math.max(0, ...sizes)
}
