import { vendor } from '../../core/sdk/index.js'
import type { Loss } from './losses.js'

/** Messages of FFmpeg 5 to 7 (fftools/ffmpeg_dec.c, libavcodec/decode.c, libavformat/mov.c). */
export const FFMPEG_LOSSES: readonly Loss[] = [
  { sign: /Invalid UTF-8 in decoded subtitles text/, message: 'Some subtitles were left out: their letters are not in UTF-8.' },
  {
    sign: /Error while decoding stream|Error submitting packet to decoder|error while decoding MB|corrupt decoded frame/,
    message: 'Parts of the file are damaged and were left out.',
  },
  {
    sign: /stream \d{1,3}, offset 0x[0-9a-f]{1,16}: partial file/,
    message: 'The file is truncated: the rest is missing.',
  },
]

/** ffmpeg and ffprobe on this machine. */
export const ffmpeg = vendor({
  id: 'ffmpeg',
  title: 'FFmpeg (local)',
  home: 'https://ffmpeg.org/documentation.html',
  programs: { ffmpeg: 'ffmpeg', ffprobe: 'ffmpeg', bwrap: 'bubblewrap' },
})
