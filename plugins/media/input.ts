import { Fault, type ExecResult } from '../../core/sdk/index.js'
import { programFault } from '../_shared/program-fault.js'
import { demuxerOf, demuxers } from './formats/table.js'

/** The one name that a source has in the sandbox: FFmpeg takes a meaning from names. */
export const SOURCE = 'source'

/**
 * Demuxers of plain media files that no format of the table names. Playlists and scripts (hls, dash, concat, image2 …) name other files and
 * addresses and are not among them. Names by `ffmpeg -demuxers`.
 */
const FURTHER = ['avi', 'amrnb', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'webm', 'm4v']

/** Pixels of a picture of a film: more than films have (8K: 33 million). */
export const MOST_PIXELS = 40_000_000
/** Bytes that are taken at once, such as for one picture. */
const MOST_ALLOCATED = 384 * 1024 * 1024
/** What FFmpeg writes when it meets the limit of memory that it was given. */
const OUT_OF_MEMORY = /Cannot allocate memory/

/**
 * Options before `-i` that keep a source from reaching anything but itself, and from taking much: files and pipes alone, and the demuxers of plain
 * files, or the one of a format (https://ffmpeg.org/ffmpeg-protocols.html, `protocol_whitelist`; ffmpeg-formats, `format_whitelist`; ffmpeg-codecs,
 * `max_pixels`; ffmpeg.html, `max_alloc`).
 */
export function guarded(from: string | null): string[] {
  const allowed = [...new Set([...demuxers(), ...FURTHER])].join(',')
  const limits = ['-max_alloc', String(MOST_ALLOCATED)]
  return [...limits, '-protocol_whitelist', 'file,pipe', '-format_whitelist', allowed, ...(from === null ? [] : ['-f', demuxerOf(from)])]
}

/** Throws what a run of ffmpeg or ffprobe that did not succeed is to the caller: for a limit or a crash the next engine is asked. */
export function assertSucceeded(
  result: ExecResult,
  { done, timeLeft }: { readonly done: 'read' | 'converted'; readonly timeLeft: number },
): void {
  const { code, stopped, stderr } = result
  if (code === 0) return
  const starved = stopped === null && OUT_OF_MEMORY.test(Buffer.from(stderr).toString('utf8'))
  const refused = 'The file is no audio or video that can be read.'
  throw programFault(starved ? { ...result, stopped: 'memory' } : result, { done, refused, timeLeft })
}

/** Throws `missing` for pictures that are too large to be converted here. */
export function assertPixels(streams: readonly { readonly width: number | null; readonly height: number | null }[]): void {
  const most = Math.max(0, ...streams.map(({ width, height }) => (width ?? 0) * (height ?? 0)))
  if (most > MOST_PIXELS)
    throw new Fault(
      'missing',
      `The file has pictures of ${Math.round(most / 1e6)} million pixels; at most ${MOST_PIXELS / 1e6} million are converted.`,
    )
}
