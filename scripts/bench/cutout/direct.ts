import { join } from 'node:path'
import sharp from 'sharp'
import { packageRoot } from '../../../core/runtime/root.js'
import { MASK_SIDE } from '../../../plugins/cutouts/engine.js'
import apply from '../../../plugins/cutouts/parse/apply.js'
import flat from '../../../plugins/cutouts/parse/flat.js'
import shrink from '../../../plugins/cutouts/parse/shrink.js'
import { type CallEngine, withEngine } from '../direct-engine.js'
import { median, row, type Say } from '../files/figure.js'
import { flatRows, iou, type Scene } from './scenes.js'

/** Number of requests before the first reading of the memory: the first ones allocate memory that is kept. */
const EARLY = 50
/** Pictures below it are bad ones. */
const BAD = 0.9

interface Options {
  readonly pictures: readonly Scene[]
  /** Pictures before one colour. */
  readonly flats: readonly Scene[]
  /** Questions for the memory. */
  readonly long: number
  readonly each: boolean
}

/** The steps of the providers cutout and flat one after the other, without a gateway and its limits of time: how well pictures are cut out, and the memory of the model's process. */
export async function benchDirect(say: Say, { pictures, flats, long, each }: Options): Promise<void> {
  const [built, pack] = [join(packageRoot(), 'dist', 'plugins'), join(packageRoot(), '.tools', 'cutout')]
  const module = join(built, 'cutouts', 'engine', 'u2net.js')
  await flatOnes(say, flats, each)
  const command = [
    process.execPath,
    join(built, '_shared', 'engine-process.js'),
    module,
    pack,
    join(pack, 'u2netp.onnx'),
    String(MASK_SIDE),
  ]
  await withEngine(command, {}, async (request) => {
    const small: Buffer[] = []
    const found: number[] = []
    const sizes: number[] = []
    for (const scene of pictures) {
      const seen = Buffer.from(await shrink(scene.bytes, { side: MASK_SIDE }), 'base64')
      const { value, mib } = await cutOf(scene, seen, request)
      small.push(seen)
      found.push(value)
      sizes.push(mib)
      if (each) say(`  ${scene.name}: ${value.toFixed(3)}`)
    }
    say(row(`cutout: IoU of ${String(pictures.length)} pictures, median`, median(found), { least: 0.95, unit: '' }))
    for (const kind of ['people', 'products', 'animals'] as const)
      say(row(`cutout: ${kind}, median`, median(found.filter((_, at) => pictures[at]?.kind === kind)), { unit: '' }))
    const bad = found.filter((value) => value < BAD).length
    say(row(`cutout: pictures below ${String(BAD)}, no-result among them`, bad, { unit: `of ${String(pictures.length)}` }))
    for (let done = pictures.length; done < long; done++) sizes.push((await request(null, small[done % small.length])).mib)
    const early = sizes[EARLY - 1] ?? 0
    say(row(`memory of the model's process after ${String(EARLY)} pictures`, early, { unit: 'MiB' }))
    say(row(`memory of the model's process after ${String(long)}`, sizes[long - 1] ?? 0, { most: Math.ceil(early * 1.1), unit: 'MiB' }))
  })
}

/** The pictures before one colour, by the step of the provider flat. */
async function flatOnes(say: Say, flats: readonly Scene[], each: boolean): Promise<void> {
  const found: number[] = []
  for (const scene of flats) {
    const { data } = await flat([scene.bytes], { size: 'auto', format: 'png' })
    found.push(await likeness(scene, data))
    if (each) say(`  before one colour, ${scene.name}: ${(found.at(-1) ?? 0).toFixed(3)}`)
  }
  flatRows(say, found)
}

/** The intersection over union of a cutout with the truth; 0 where there is none. */
async function likeness({ truth }: Scene, cutout: Uint8Array | undefined): Promise<number> {
  return cutout === undefined ? 0 : iou(await sharp(cutout).extractChannel('alpha').raw().toBuffer(), truth)
}

/** The intersection over union of a picture's cutout with the truth, 0 where the mask does not decide, and the memory of the model's process. */
async function cutOf(scene: Scene, seen: Buffer, request: CallEngine): Promise<{ readonly value: number; readonly mib: number }> {
  const { bytes, mib } = await request(null, seen)
  const { data } = await apply([scene.bytes, bytes], { size: 'auto', format: 'png', side: MASK_SIDE })
  return { value: await likeness(scene, data), mib }
}
