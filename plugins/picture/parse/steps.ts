import sharp, { type Gravity, type Sharp } from 'sharp'
import { Fault } from '../../../core/sdk/fault.js'
import type { Step } from '../contract.js'
import { LIMITS } from '../limits.js'
import { assertPixels, openPicture } from './open.js'
import { overlayOf } from './overlay.js'
import { resized, type Size } from './size.js'

/** A picture between steps. */
export interface Working {
  readonly picture: Sharp
  /** Of one frame. */
  readonly size: Size
  readonly frames: number
  /** False for SVG before its first step: it is rendered at the requested size. */
  readonly fixed: boolean
}

export interface StepInput {
  readonly step: Step
  readonly working: Working
  /** The bytes of the file named by a step. */
  readonly fileOf: (id: string) => Uint8Array
}

/** Steps supported for all frames at once. */
const MOVING: readonly Step['op'][] = ['resize', 'crop', 'flatten', 'grayscale']
const CLEAR = '#00000000'
/** One transparent pixel, repeated. */
const NOTHING = { input: Buffer.alloc(4), raw: { width: 1, height: 1, channels: 4 }, tile: true } as const

/** Adds a step to a pipeline without one: sharp would reorder several. Throws Fault `invalid` for an impossible step. */
export async function applyStep({ step, working, fileOf }: StepInput): Promise<Sharp> {
  const { picture, frames, size } = working
  if (frames > 1 && !MOVING.includes(step.op)) throw new Fault('invalid', `The step "${step.op}" is for pictures that do not move.`)
  switch (step.op) {
    case 'resize':
      return resize(step, working)
    case 'crop':
      return picture.extract(cropped(step, size))
    case 'rotate':
      return picture.rotate(step.degrees)
    case 'mirror':
      return step.axis === 'horizontal' ? picture.flop() : picture.flip()
    case 'trim':
      return picture.trim({ threshold: step.threshold ?? 10 })
    case 'flatten':
      return picture.flatten({ background: step.background })
    case 'blur':
      return picture.blur(step.sigma)
    case 'grayscale':
      return picture.grayscale()
    case 'composite':
      return await compose(step, working, fileOf)
  }
}

function resize(step: Extract<Step, { op: 'resize' }>, { picture, size, frames, fixed }: Working): Sharp {
  const after = resized(size, step, fixed)
  assertSide(after)
  assertPixels(after.width * after.height * frames, 'The resized picture')
  return picture.resize({
    ...(step.width === undefined ? {} : { width: step.width }),
    ...(step.height === undefined ? {} : { height: step.height }),
    fit: step.fit ?? 'inside',
    withoutEnlargement: fixed && step.enlarge !== true,
    position: positionOf(step.keep),
    background: step.background ?? CLEAR,
  })
}

function positionOf(keep: Extract<Step, { op: 'resize' }>['keep']): Gravity | number {
  return keep === 'attention' ? sharp.strategy.attention : keep === 'entropy' ? sharp.strategy.entropy : 'centre'
}

/** The part within the picture. */
function cropped(step: Extract<Step, { op: 'crop' }>, size: Size): { left: number; top: number; width: number; height: number } {
  const left = step.left ?? Math.max(0, Math.floor((size.width - step.width) / 2))
  const top = step.top ?? Math.max(0, Math.floor((size.height - step.height) / 2))
  if (left >= size.width || top >= size.height) throw new Fault('invalid', 'The part that is cropped lies outside the picture.')
  return { left, top, width: Math.min(step.width, size.width - left), height: Math.min(step.height, size.height - top) }
}

async function compose(
  { file, left, top, opacity = 1, blend = 'over' }: Extract<Step, { op: 'composite' }>,
  { picture, size }: Working,
  fileOf: (id: string) => Uint8Array,
): Promise<Sharp> {
  const opened = await openPicture(fileOf(file.id), { page: 0, animated: false, name: 'The file of a composite step' })
  const overlay = await overlayOf(opened, { size, left: left ?? null, top: top ?? null, opacity })
  if (overlay === null && blend !== 'mask') return picture
  const blends = { over: 'over', under: 'dest-over', mask: 'dest-in' } as const
  return picture.composite([{ ...(overlay ?? NOTHING), blend: blends[blend] }])
}

/** Throws Fault `invalid` for a picture whose side exceeds the formats' limit. */
function assertSide({ width, height }: Size): void {
  if (Math.max(width, height) > LIMITS.side)
    throw new Fault('invalid', `A picture of ${width} x ${height} pixels cannot be made: a side has at most ${LIMITS.side}.`)
}
