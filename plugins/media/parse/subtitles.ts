import { decode } from '../../_shared/charset/charset.js'

/** Subtitles in the form FFmpeg reads. */
export interface Subtitles {
  /** To be written in UTF-8 with line feeds. */
  readonly text: string
  /** Number of cues; null for formats in which they are not counted. */
  readonly cues: number | null
}

/** A string that occurs once per cue, by FFmpeg's name of the format. */
export const CUE_MARKS: Readonly<Record<string, string>> = { srt: '-->', webvtt: '-->', ass: 'Dialogue:', ttml: '<p ' }

/**
 * Decodes subtitles in any character set. WebVTT blocks without a timing line (styles, regions and notes, which other
 * formats do not support) are left out: FFmpeg 5 stops reading at the first of them. Runs in the sandbox.
 */
export default function readSubtitles(bytes: Uint8Array, { demuxer }: { readonly demuxer: string }): Subtitles {
  const text = decode(bytes, '')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
  const mark = CUE_MARKS[demuxer]
  const kept = demuxer === 'webvtt' ? withCuesAlone(text) : text
  return { text: kept, cues: mark === undefined ? null : kept.split(mark).length - 1 }
}

/** WebVTT, section 4.1: blocks are separated by blank lines, the first is the header, and only a cue has an arrow. */
function withCuesAlone(text: string): string {
  const [header = '', ...blocks] = text.split(/\n{2,}/)
  return [header, ...blocks.filter((block) => block.includes('-->'))].join('\n\n')
}
