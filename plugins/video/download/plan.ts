import { Fault } from '../../../core/sdk/index.js'
import { isAudio, type Container, type DownloadInput } from '../contract.js'
import type { Info, MediaFormat } from '../info/fields.js'
import { isSoundAlone } from '../info/formats.js'
import { ANY, type Selection } from '../info/read.js'

/** How a file is created from the streams. */
export interface Way {
  /** The single stream is passed on unchanged. */
  readonly raw: boolean
  /** Video and audio are re-encoded, since their codecs do not fit the container. */
  readonly converted: boolean
  /** AAC has ADTS headers, as in MPEG-TS, which must be removed. */
  readonly adts: boolean
  /** The streams are stored on disk before they are joined: some files can be read only from their end. */
  readonly staged: boolean
}

/** Maximum bytes of a file, which is the largest stream that the store accepts. */
export const MOST_BYTES = 1024 * 1024 * 1024

/** The container of an input, determined by its normal form. */
export function containerOf(input: Pick<DownloadInput, 'format' | 'quality'>): Container {
  return input.format ?? (isAudio(input) ? 'mp3' : 'mp4')
}

/** yt-dlp's format selection. */
export function selectionOf(input: DownloadInput): Selection {
  const container = containerOf(input)
  if (container !== 'mp4') return { format: 'ba/b', sort: container === 'm4a' ? 'acodec:aac' : 'abr' }
  return input.quality === 'best' ? ANY : { format: ANY.format, sort: ANY.sort.replace('res', `res:${input.quality}`) }
}

/** Throws an `invalid` Fault for an impossible container, or a file that is too large according to the site. */
export function assertPossible({ selected }: Info, container: Container): void {
  if (container === 'mp4' && selected.every(isSoundAlone))
    throw new Fault('invalid', 'The address has sound without a picture.', { loc: ['format'], final: true, remedy: 'Ask for mp3 or m4a.' })
  if (container !== 'mp4' && selected.every(({ acodec }) => acodec === 'none'))
    throw new Fault('invalid', 'The video has no sound.', { loc: ['format'], final: true, remedy: 'Ask for mp4.' })
  if (selected.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) > MOST_BYTES)
    throw new Fault('invalid', 'The video is larger than the 1 GiB that a download may have.', {
      ...{ loc: ['quality'], final: true, remedy: 'Ask for a lower quality, or for the sound alone.' },
    })
}

/** Codecs not supported in MP4. */
const FOREIGN = /^(?:vp0?8|theora|wmv|flv|rv\d|msmpeg|h261|ffv)/i

/** The method tried first. */
export function firstWay({ selected, chapters, subtitles }: Info, container: Container): Way {
  const [first, ...others] = selected
  const whole = first !== undefined && others.length === 0 && first.ext === 'mp4' && /^https?$/.test(first.protocol)
  return {
    raw: container === 'mp4' && whole && chapters.length === 0 && subtitles.length === 0,
    converted:
      container === 'mp4' ? selected.some(({ vcodec }) => vcodec !== null && FOREIGN.test(vcodec)) : !isCopied(selected, container),
    adts:
      container !== 'mp3' &&
      selected.some(({ protocol, acodec }) => protocol.startsWith('m3u8') && (acodec === null || /^(?:mp4a|aac)/i.test(acodec))),
    staged: false,
  }
}

/** Audio that the container supports without conversion. */
function isCopied(selected: readonly MediaFormat[], container: Container): boolean {
  const codec = container === 'mp3' ? /^mp3|^mp4a\.(?:6b|69)$/i : /^(?:aac|mp4a\.40)/i
  return selected.some((format) => (format.acodec === null ? isSoundAlone(format) && format.ext === container : codec.test(format.acodec)))
}

/**
 * The next method after one that failed before anything was written, by FFmpeg's messages (libavformat/movenc.c,
 * mov.c; fftools); null when there is none.
 */
export function nextWay(way: Way, messages: string): Way | null {
  if (!way.adts && /Malformed AAC bitstream/.test(messages)) return { ...way, adts: true }
  if (way.adts && /not supported by the bitstream filter|aac_adtstoasc/.test(messages)) return { ...way, adts: false }
  if (
    !way.converted &&
    /Could not find tag for codec|not currently supported in container|incorrect codec parameters|Invalid audio stream/.test(messages)
  )
    return { ...way, converted: true, adts: false }
  if (!way.staged && /partial file|moov atom not found|not seekable|Illegal seek/.test(messages)) return { ...way, staged: true }
  return null
}
