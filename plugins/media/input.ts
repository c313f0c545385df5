import { Fault, type ExecResult } from '../../core/sdk/index.js'
import { demuxerOf, demuxers } from './formats/table.js'

/** The one name that a source has in the sandbox: FFmpeg takes a meaning from names. */
export const SOURCE = 'source'

/**
 * Demuxers of plain media files that no format of the table names. Playlists and scripts (hls, dash, concat, image2 …) name other files and
 * addresses and are not among them. Names by `ffmpeg -demuxers`.
 */
const FURTHER = ['avi', 'amrnb', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'webm', 'm4v']

/**
 * Options before `-i` that keep a source from reaching anything but itself: files and pipes alone, and the demuxers of plain files, or the one of
 * a format (https://ffmpeg.org/ffmpeg-protocols.html, `protocol_whitelist`; ffmpeg-formats, `format_whitelist`).
 */
export function guarded(from: string | null): string[] {
  const allowed = [...new Set([...demuxers(), ...FURTHER])].join(',')
  return ['-protocol_whitelist', 'file,pipe', '-format_whitelist', allowed, ...(from === null ? [] : ['-f', demuxerOf(from)])]
}

/** Throws what a run of ffmpeg or ffprobe that did not succeed is to the caller. */
export function assertRead({ code, stopped, stderr }: ExecResult): void {
  if (code === 0) return
  const internal = `code ${String(code)}: ${Buffer.from(stderr).toString('utf8').slice(-500)}`
  if (stopped === 'time' || stopped === 'aborted')
    throw new Fault('busy', 'The time of the call was over before the file was read.', { internal })
  if (stopped === 'memory') throw new Fault('invalid', 'The file takes more memory than reading a file may.', { internal })
  throw new Fault('invalid', 'The file is no audio or video that can be read.', { internal })
}
