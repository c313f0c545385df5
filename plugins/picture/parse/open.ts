import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { Fault } from '../../../core/sdk/fault.js'
import type { Look } from '../contract.js'
import { LIMITS } from '../limits.js'

// One process reads one file: no cache, and no loaders of other formats.
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`),
})

export type SourceFormat = Look['format']

/** A file whose size was checked before any pixels were read. */
export interface Opened {
  readonly format: SourceFormat
  /** As stored, before it is turned upright. */
  readonly width: number
  readonly height: number
  readonly orientation: number | null
  /** Number of pages or frames. */
  readonly frames: number
  /** Number of frames to read: all, or one. */
  readonly reads: number
  readonly hasAlpha: boolean
  readonly delay: readonly number[]
  readonly loop: number
  /** A pipeline for the requested page or frames. */
  readonly read: () => Sharp
}

export interface Wanted {
  readonly page: number
  readonly animated: boolean
  /** The caller's name for the file, used in Faults. */
  readonly name: string
}

const GZIP = 0x1f
/** Input formats supported by libvips. For HEIF, HEVC is not built in. */
const SOURCES: readonly SourceFormat[] = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'svg']

/** Reads the header of a file. Throws Fault `invalid` for one that is not a picture or exceeds a limit. */
export async function openPicture(bytes: Uint8Array, { page, animated, name }: Wanted): Promise<Opened> {
  const head = await metadata(bytes, name)
  const format = formatOf(head)
  if (format === null) throw new Fault('invalid', `${name} is no JPEG, PNG, WebP, GIF, TIFF, AVIF or SVG picture.`)
  if (format === 'svg' && (bytes.length > LIMITS.svgBytes || bytes[0] === GZIP))
    throw new Fault('invalid', `${name}: an SVG picture must be plain text of at most ${LIMITS.svgBytes} bytes.`)
  const frames = head.pages ?? 1
  if (frames > LIMITS.pages) throw new Fault('invalid', `${name} has ${frames} pages; at most ${LIMITS.pages} are taken.`)
  if (page >= frames) throw new Fault('invalid', `${name} has ${frames} pages, and page ${page} (counted from 0) is none of them.`)
  const moving = animated && frames > 1 && (format === 'gif' || format === 'webp')
  if (moving && frames > LIMITS.frames) throw new Fault('invalid', `${name} has ${frames} frames; at most ${LIMITS.frames} are read.`)
  assertPixels(head.width * (head.pageHeight ?? head.height) * (moving ? frames : 1), name)
  const options: SharpOptions = {
    limitInputPixels: LIMITS.pixels,
    failOn: 'error',
    ...(moving ? { animated: true } : page > 0 ? { page } : {}),
  }
  return {
    format,
    width: head.width,
    height: head.pageHeight ?? head.height,
    orientation: head.orientation ?? null,
    frames,
    reads: moving ? frames : 1,
    hasAlpha: head.hasAlpha,
    delay: moving ? (head.delay ?? []) : [],
    loop: head.loop ?? 0,
    read: () => sharp(bytes, options).timeout({ seconds: LIMITS.seconds }),
  }
}

/** Throws Fault `invalid` for too many pixels. */
export function assertPixels(pixels: number, name: string): void {
  if (pixels > LIMITS.pixels)
    throw new Fault('invalid', `${name} has ${Math.round(pixels / 1e6)} million pixels; at most ${LIMITS.pixels / 1e6} million are taken.`)
}

/** Maps the error of a step to a Fault; libvips names neither paths nor contents. */
export function asFault(error: unknown, sentence: string): Fault {
  if (Fault.is(error)) return error
  const internal = error instanceof Error ? error.message.slice(0, 500) : String(error)
  if (/timeout: \d+% complete/.test(internal))
    return new Fault('invalid', `The picture takes longer than ${LIMITS.seconds} seconds.`, { internal, costly: true })
  return new Fault('invalid', sentence, { internal })
}

async function metadata(bytes: Uint8Array, name: string): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch (error) {
    throw asFault(error, `${name} is no picture that can be read (JPEG, PNG, WebP, GIF, TIFF, AVIF, SVG).`)
  }
}

function formatOf({ format, compression }: Metadata): SourceFormat | null {
  if (format === 'heif') return compression === 'av1' ? 'avif' : null
  return SOURCES.find((known) => known === format) ?? null
}
