import { Fault, foreignJson, isRecord, parseUrl } from '../../../core/sdk/index.js'
import { listAt, valueAt } from '../../_shared/value-at.js'
import { plainText } from '../names.js'

/** One format of a video, with the used fields of yt-dlp. */
export interface MediaFormat {
  readonly id: string
  readonly ext: string | null
  readonly protocol: string
  /** `none` without video; null when unknown. */
  readonly vcodec: string | null
  readonly acodec: string | null
  readonly width: number | null
  readonly height: number | null
  /** Bytes, possibly estimated. */
  readonly bytes: number | null
  readonly hasDrm: boolean
}

export interface Chapter {
  readonly start: number
  readonly end: number
  readonly title: string
}

/** yt-dlp's description of one video. */
export interface Info {
  /** The document itself, for `--load-info-json`. */
  readonly text: Uint8Array
  readonly title: string | null
  readonly duration: number | null
  readonly thumbnail: string | null
  readonly uploader: string | null
  /** YYYY-MM-DD. */
  readonly date: string | null
  readonly views: number | null
  readonly platform: string | null
  readonly isLive: boolean
  readonly isPlaylist: boolean
  /** yt-dlp treats any file as a video when the site does not name its type; such a one has no format. */
  readonly isGuess: boolean
  /** From worst to best. */
  readonly formats: readonly MediaFormat[]
  /** The selection: one format, or one of video and one of audio. */
  readonly selected: readonly MediaFormat[]
  readonly chapters: readonly Chapter[]
  /** Languages of subtitles written by people. */
  readonly subtitles: readonly string[]
}

const LIVE: readonly unknown[] = ['is_live', 'is_upcoming', 'post_live']
const PLAYLISTS: readonly unknown[] = ['playlist', 'multi_video']
const MOST_CHAPTERS = 500
const LANGUAGE = /^[A-Za-z0-9][A-Za-z0-9-]{0,34}$/
const SUBTITLES: readonly unknown[] = ['vtt', 'srt']

/** Parses the output of `yt-dlp -J`. Throws a `broken` Fault for anything but a JSON object of this kind. */
export function infoOf(text: Uint8Array): Info {
  const given = parsed(text)
  const requested = listAt(given, 'requested_formats').map(formatOf)
  const formats = listAt(given, 'formats').map(formatOf)
  const isLive = given['is_live'] === true || LIVE.includes(given['live_status'])
  return {
    text,
    title: plainText(given['title']),
    duration: positive(given['duration']),
    thumbnail: webAddress(given['thumbnail']),
    uploader: plainText(given['uploader']) ?? plainText(given['channel']),
    date: dateOf(given['upload_date']),
    views: wholeOf(given['view_count']),
    platform: plainText(given['extractor_key'])?.toLowerCase() ?? null,
    isLive,
    isPlaylist: PLAYLISTS.includes(given['_type']),
    isGuess: given['direct'] === true && formats.every(({ id }) => id === '0'),
    formats,
    selected: requested.length > 0 ? requested : [formatOf(given)],
    chapters: listAt(given, 'chapters').slice(0, MOST_CHAPTERS).flatMap(chapterOf),
    subtitles: Object.entries(recordOf(given['subtitles'])).flatMap(([language, tracks]) => {
      const usable = Array.isArray(tracks) && tracks.some((track) => SUBTITLES.includes(valueAt(track, 'ext')))
      return usable && LANGUAGE.test(language) ? [language] : []
    }),
  }
}

function parsed(text: Uint8Array): Record<string, unknown> {
  try {
    const given = foreignJson(text)
    if (isRecord(given)) return given
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Fault('broken', 'yt-dlp returned no readable description of the video.', { cause: error })
  }
  throw new Fault('broken', 'yt-dlp returned no description of the video.')
}

function formatOf(given: unknown): MediaFormat {
  const text = (name: string): string | null => plainText(valueAt(given, name))
  return {
    id: text('format_id') ?? '',
    ext: text('ext'),
    protocol: text('protocol') ?? '',
    vcodec: text('vcodec'),
    acodec: text('acodec'),
    width: positive(valueAt(given, 'width')),
    height: positive(valueAt(given, 'height')),
    bytes: positive(valueAt(given, 'filesize')) ?? positive(valueAt(given, 'filesize_approx')),
    hasDrm: valueAt(given, 'has_drm') === true,
  }
}

function chapterOf(given: unknown): Chapter[] {
  const [start, end] = [valueAt(given, 'start_time'), valueAt(given, 'end_time')]
  if (typeof start !== 'number' || typeof end !== 'number' || !(start >= 0) || !(end > start) || !Number.isFinite(end)) return []
  return [{ start, end, title: plainText(valueAt(given, 'title')) ?? '' }]
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
}

function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

function webAddress(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= 8192 ? parseUrl(value) : null
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

function dateOf(value: unknown): string | null {
  const [, year, month, day] = (typeof value === 'string' && /^(\d{4})(\d{2})(\d{2})$/.exec(value)) || []
  return year === undefined || month === undefined || day === undefined ? null : `${year}-${month}-${day}`
}
