import type { MediaFormats } from './types.js'

const words = (codec: string, container: string): readonly string[] => ['-c:s', codec, '-f', container]

/** Text subtitles. */
export const SUBTITLES: MediaFormats = {
  srt: { type: 'application/x-subrip', demuxer: 'srt', writing: words('srt', 'srt') },
  vtt: { type: 'text/vtt', demuxer: 'webvtt', writing: words('webvtt', 'webvtt') },
  ass: { type: 'text/x-ass', demuxer: 'ass', writing: words('ass', 'ass') },
  ssa: { type: 'text/x-ssa', demuxer: 'ass', writing: words('ssa', 'ass') },
  lrc: { type: 'text/x-lrc', demuxer: 'lrc', writing: words('srt', 'lrc') },
  ttml: { type: 'application/ttml+xml', writing: words('ttml', 'ttml') },
  sub: { type: 'text/x-microdvd', demuxer: 'microdvd' },
  smi: { type: 'application/x-sami', demuxer: 'sami' },
  mpl: { type: 'text/x-mpl2', demuxer: 'mpl2' },
  jss: { type: 'text/x-jacosub', demuxer: 'jacosub' },
  rt: { type: 'text/vnd.rn-realtext', demuxer: 'realtext' },
  stl: { type: 'text/x-spruce-stl', demuxer: 'stl' },
  sbv: { type: 'text/x-subviewer', demuxer: 'subviewer' },
}
