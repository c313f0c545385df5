import sharp, { type OutputInfo } from 'sharp'
import type { MakeInput, Step } from '../contract.js'
import { encoded } from './encode.js'
import { asFault, openPicture, type Opened } from './open.js'
import { applyStep, type Working } from './steps.js'

/** The input of the port; `ids` are those of the given files, in order. */
export interface MakeArgs {
  readonly input: MakeInput
  readonly ids: readonly string[]
}

export interface Made {
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly pages: number
}

/** Processes a picture. Runs in the sandbox: libvips and its decoders are native code on untrusted bytes. */
export default async function make(
  files: readonly Uint8Array[],
  { input, ids }: MakeArgs,
): Promise<{ readonly result: Made; readonly data: Uint8Array }> {
  const fileOf = (id: string): Uint8Array => files[ids.indexOf(id)] ?? new Uint8Array()
  const animated = input.animated && (input.format === 'gif' || input.format === 'webp')
  const opened = await openPicture(fileOf(input.file.id), { page: input.page, animated, name: 'The file' })
  try {
    let working = begin(opened, input)
    for (const [at, step] of stepsOf(input, opened).entries()) {
      if (at > 0) working = await materialised(working, input.keep_metadata)
      working = { ...working, picture: await applyStep({ step, working, fileOf }) }
    }
    return await written(working, opened, input)
  } catch (error) {
    throw asFault(error, 'The picture cannot be read completely, or cannot be written in this format.')
  }
}

const WHITE: Step = { op: 'flatten', background: '#ffffff' }

/** JPEG has no transparency, and sharp would make it black. */
function stepsOf({ steps, format }: MakeInput, { hasAlpha }: Opened): readonly Step[] {
  const last = steps.at(-1)
  const clear =
    hasAlpha || steps.some(({ op }) => op === 'composite') || steps.some((step) => step.op === 'resize' && step.fit === 'contain')
  return format === 'jpeg' && clear && last?.op !== 'flatten' ? [...steps, WHITE] : steps
}

function begin(opened: Opened, { upright, keep_metadata }: MakeInput): Working {
  const frames = opened.reads
  const turned = upright && frames === 1
  const picture = turned ? opened.read().autoOrient() : opened.read()
  const sideways = turned && (opened.orientation ?? 1) >= 5
  const { width, height } = opened
  return {
    picture: keep_metadata ? picture.keepMetadata() : picture,
    size: sideways ? { width: height, height: width } : { width, height },
    frames,
    fixed: opened.format !== 'svg',
  }
}

/** The current pixels as the source of a new pipeline, in a lossless form that keeps the metadata if wanted. */
async function materialised({ picture, frames }: Working, keepMetadata: boolean): Promise<Working> {
  const moving = frames > 1
  const form = !keepMetadata ? picture.raw() : moving ? picture.webp({ lossless: true, effort: 0 }) : picture.png({ compressionLevel: 0 })
  const { data, info } = await form.toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const size = { width, height: frameHeight(info, frames) }
  const raw = { width, height, channels, ...(moving ? { pageHeight: size.height } : {}) }
  const next = sharp(data, { animated: moving, ...(keepMetadata ? {} : { raw }) })
  return { picture: keepMetadata ? next.keepMetadata() : next, size, frames, fixed: true }
}

async function written({ picture, frames }: Working, opened: Opened, input: MakeInput): Promise<{ result: Made; data: Buffer }> {
  const { delay, loop } = opened
  const { data, info } = await encoded(picture, { ...input, delay, loop }).toBuffer({ resolveWithObject: true })
  return { result: { width: info.width, height: frameHeight(info, frames), frames, pages: opened.frames }, data }
}

function frameHeight({ height, pageHeight }: OutputInfo, frames: number): number {
  return frames > 1 ? (pageHeight ?? height / frames) : height
}
