import { Fault, type ExecResult } from '../../core/sdk/index.js'

/** The one name that a source has in the sandbox: FFmpeg takes a meaning from names. */
export const SOURCE = 'source'

/**
 * Demuxers of plain media files. Playlists and scripts (hls, dash, concat, image2 …) name other files and addresses and are not among them.
 * Names by `ffmpeg -demuxers`.
 */
const DEMUXERS = [
  ...[
    'aac',
    'ac3',
    'aiff',
    'amr',
    'asf',
    'au',
    'avi',
    'caf',
    'dts',
    'eac3',
    'flac',
    'flv',
    'gif',
    'ivf',
    'm4a',
    'm4v',
    'matroska',
    'mjpeg',
  ],
  ...[
    'mov',
    'mp3',
    'mp4',
    'mpeg',
    'mpegts',
    'mpegvideo',
    'mxf',
    'nut',
    'ogg',
    'rm',
    'tta',
    'voc',
    'w64',
    'wav',
    'webm',
    'wv',
    '3gp',
    '3g2',
    'mj2',
  ],
]

/**
 * Options before `-i` that keep a source from reaching anything but itself: files and pipes alone, and the demuxers of plain files
 * (https://ffmpeg.org/ffmpeg-protocols.html, `protocol_whitelist`; ffmpeg-formats, `format_whitelist`).
 */
export const GUARDED = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', DEMUXERS.join(',')]

/** Throws what a run of ffmpeg or ffprobe that did not succeed is to the caller. */
export function assertRead({ code, stopped, stderr }: ExecResult): void {
  if (code === 0) return
  const internal = `code ${String(code)}: ${Buffer.from(stderr).toString('utf8').slice(-500)}`
  if (stopped === 'time' || stopped === 'aborted')
    throw new Fault('busy', 'The time of the call was over before the file was read.', { internal })
  if (stopped === 'memory') throw new Fault('invalid', 'The file takes more memory than reading a file may.', { internal })
  throw new Fault('invalid', 'The file is no audio or video that can be read.', { internal })
}
