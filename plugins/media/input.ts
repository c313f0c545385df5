import { Fault, type ExecResult } from '../../core/sdk/index.js'
import { programFault } from '../_shared/program-fault.js'
import { demuxerOf, demuxers } from './formats/table.js'

/** The fixed name of a source in the sandbox: FFmpeg interprets names. */
export const SOURCE = 'source'

/**
 * Demuxers of plain media files outside the table. Playlists and scripts (hls, dash, concat, image2 …) are excluded,
 * since they name other files and addresses. Names by `ffmpeg -demuxers`.
 */
const FURTHER = ['avi', 'amrnb', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'webm', 'm4v']

/** Maximum pixels of a video frame: more than any film has (8K: 33 million). */
export const MOST_PIXELS = 40_000_000
/** Maximum bytes of one allocation, such as for one frame. */
const MOST_ALLOCATED = 384 * 1024 * 1024
/** FFmpeg's message at its memory limit. */
const OUT_OF_MEMORY = /Cannot allocate memory/

/**
 * Options before `-i` that confine a source to itself and limit its resources: only files and pipes, and only
 * demuxers of plain files, or the one of a format (https://ffmpeg.org/ffmpeg-protocols.html, `protocol_whitelist`;
 * ffmpeg-formats, `format_whitelist`; ffmpeg-codecs, `max_pixels`; ffmpeg.html, `max_alloc`).
 */
export function guarded(from: string | null): string[] {
  const allowed = [...new Set([...demuxers(), ...FURTHER])].join(',')
  const limits = ['-max_alloc', String(MOST_ALLOCATED)]
  return [...limits, '-protocol_whitelist', 'file,pipe', '-format_whitelist', allowed, ...(from === null ? [] : ['-f', demuxerOf(from)])]
}

/** Throws the Fault of a failed run of ffmpeg or ffprobe: after a limit or a crash the next engine is tried. */
export function assertSucceeded(
  result: ExecResult,
  { done, timeLeft }: { readonly done: 'read' | 'converted'; readonly timeLeft: number },
): void {
  const { code, stopped, stderr } = result
  if (code === 0) return
  const starved = stopped === null && OUT_OF_MEMORY.test(Buffer.from(stderr).toString('utf8'))
  const refused = 'The file is not readable audio or video.'
  throw programFault(starved ? { ...result, stopped: 'memory' } : result, { done, refused, timeLeft })
}

/** Throws `missing` for frames that are too large to convert here. */
export function assertPixels(streams: readonly { readonly width: number | null; readonly height: number | null }[]): void {
  const most = Math.max(0, ...streams.map(({ width, height }) => (width ?? 0) * (height ?? 0)))
  if (most > MOST_PIXELS)
    throw new Fault(
      'missing',
      `The file has pictures of ${Math.round(most / 1e6)} million pixels; at most ${MOST_PIXELS / 1e6} million are converted.`,
    )
}
