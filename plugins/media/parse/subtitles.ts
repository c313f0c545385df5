import { decode } from '../../_shared/charset/charset.js'

/** Subtitles as FFmpeg reads them. */
export interface Subtitles {
  /** To be written in UTF-8, lines ended by a line feed. */
  readonly text: string
  /** How many there are; null for formats that are not counted. */
  readonly cues: number | null
}

/** What each subtitle has once, by FFmpeg's name of the format. */
export const CUE_MARKS: Readonly<Record<string, string>> = { srt: '-->', webvtt: '-->', ass: 'Dialogue:', ttml: '<p ' }

/**
 * Decodes subtitles in any character set. Of WebVTT the blocks without a timing line are left out (styles, regions and notes, which have no place in
 * another format): FFmpeg 5 stops reading at the first of them. Runs in the sandbox.
 */
export default function readSubtitles(bytes: Uint8Array, { demuxer }: { readonly demuxer: string }): Subtitles {
  const text = decode(bytes, '')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
  const mark = CUE_MARKS[demuxer]
  const kept = demuxer === 'webvtt' ? withCuesAlone(text) : text
  return { text: kept, cues: mark === undefined ? null : kept.split(mark).length - 1 }
}

/** WebVTT, section 4.1: blocks are parted by blank lines, the first is the header, and only a cue has an arrow. */
function withCuesAlone(text: string): string {
  const [header = '', ...blocks] = text.split(/\n{2,}/)
  return [header, ...blocks.filter((block) => block.includes('-->'))].join('\n\n')
}
