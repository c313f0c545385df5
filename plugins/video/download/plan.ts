import { Fault } from '../../../core/sdk/index.js'
import { isAudio, type Container, type DownloadInput } from '../contract.js'
import type { Info, MediaFormat } from '../info/fields.js'
import { isSoundAlone } from '../info/formats.js'
import { ANY, type Selection } from '../info/read.js'

/** How a file is made of the streams. */
export interface Way {
  /** The one stream is passed on as it is. */
  readonly raw: boolean
  /** Picture and sound are encoded anew, since their codecs do not fit the container. */
  readonly converted: boolean
  /** AAC comes in ADTS frames, as in MPEG-TS, and has to lose their headers. */
  readonly adts: boolean
  /** The streams are on the disk before they are joined: some files can be read only from their end. */
  readonly staged: boolean
}

/** Bytes of the largest file, which is the largest stream that the store takes. */
export const MOST_BYTES = 1024 * 1024 * 1024

/** The container of an input; its normal form names it. */
export function containerOf(input: Pick<DownloadInput, 'format' | 'quality'>): Container {
  return input.format ?? (isAudio(input) ? 'mp3' : 'mp4')
}

/** What yt-dlp is to select. */
export function selectionOf(input: DownloadInput): Selection {
  const container = containerOf(input)
  if (container !== 'mp4') return { format: 'ba/b', sort: container === 'm4a' ? 'acodec:aac' : 'abr' }
  return input.quality === 'best' ? ANY : { format: ANY.format, sort: ANY.sort.replace('res', `res:${input.quality}`) }
}

/** Throws an `invalid` Fault for what cannot become the container, or is too large by what the site says. */
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

/** Codecs that MP4 cannot carry. */
const FOREIGN = /^(?:vp0?8|theora|wmv|flv|rv\d|msmpeg|h261|ffv)/i

/** The way that is tried first. */
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

/** Sound that is what the container carries already. */
function isCopied(selected: readonly MediaFormat[], container: Container): boolean {
  const codec = container === 'mp3' ? /^mp3|^mp4a\.(?:6b|69)$/i : /^(?:aac|mp4a\.40)/i
  return selected.some((format) => (format.acodec === null ? isSoundAlone(format) && format.ext === container : codec.test(format.acodec)))
}

/**
 * The way to try after one that failed before anything was written, by the messages of FFmpeg (libavformat/movenc.c, mov.c; fftools); null when there is
 * none.
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
