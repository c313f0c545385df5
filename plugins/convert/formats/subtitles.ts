import type { Format } from './format.js'
import { element } from './shapes.js'

export const SUBTITLES: readonly Format[] = [
  {
    id: 'srt',
    title: 'SubRip subtitles',
    family: 'subtitle',
    mime: 'application/x-subrip',
    aliases: ['subrip'],
    is: { text: /\d:\d\d:\d\d[,.]\d+ *-->/ },
  },
  {
    id: 'vtt',
    title: 'WebVTT subtitles',
    family: 'subtitle',
    mime: 'text/vtt',
    aliases: ['webvtt'],
    is: { begins: ['WEBVTT', '\xef\xbb\xbfWEBVTT'], text: true },
  },
  { id: 'ass', title: 'Advanced SubStation subtitles', family: 'subtitle', mime: 'text/x-ass', is: { text: /\[Script Info\]/i } },
  { id: 'ssa', title: 'SubStation subtitles', family: 'subtitle', mime: 'text/x-ssa', is: { text: /\[Script Info\]/i } },
  { id: 'lrc', title: 'Lyrics', family: 'subtitle', mime: 'text/x-lrc', is: { text: /\[(?:\d+:\d\d|[a-z]+:)/i } },
  { id: 'ttml', title: 'Timed Text', family: 'subtitle', mime: 'application/ttml+xml', aliases: ['dfxp'], is: element('tt') },
  {
    id: 'sub',
    title: 'MicroDVD subtitles',
    family: 'subtitle',
    mime: 'text/x-microdvd',
    aliases: ['microdvd'],
    is: { text: /^\s*\{\d*\}\{\d*\}/ },
  },
  { id: 'smi', title: 'SAMI subtitles', family: 'subtitle', mime: 'application/x-sami', aliases: ['sami'], is: element('sami') },
  { id: 'mpl', title: 'MPL2 subtitles', family: 'subtitle', mime: 'text/x-mpl2', aliases: ['mpl2'], is: { text: /^\s*\[\d+\]\[\d*\]/ } },
  {
    id: 'jss',
    title: 'JACOsub subtitles',
    family: 'subtitle',
    mime: 'text/x-jacosub',
    aliases: ['jacosub'],
    is: { text: /^[ \t]*(?:#|@?\d+:\d\d:\d\d\.\d\d|@\d+)/m },
  },
  { id: 'rt', title: 'RealText subtitles', family: 'subtitle', mime: 'text/vnd.rn-realtext', aliases: ['realtext'], is: element('window') },
  { id: 'stl', title: 'Spruce subtitles', family: 'subtitle', mime: 'text/x-spruce-stl', is: { text: /\d\d:\d\d:\d\d:\d\d\s*,/ } },
  {
    id: 'sbv',
    title: 'SubViewer subtitles',
    family: 'subtitle',
    mime: 'text/x-subviewer',
    aliases: ['subviewer'],
    is: { text: /\d\d:\d\d:\d\d[.:]\d+,\d\d:/ },
  },
]
