import { Fault, foreignJson, type ExecResult } from '../../../core/sdk/index.js'
import { textsIn, valueAt } from '../../_shared/value-at.js'
import { textAt } from '../../_vendors/text-at.js'
import type { Container } from '../contract.js'
import type { Chapter, Info } from '../info/fields.js'
import { COMMON } from '../info/read.js'
import { mp4Language } from './languages.js'
import { MOST_BYTES, type Way } from './plan.js'

/** The content of job.json, read by `fetch.py`. */
export interface Job {
  /** yt-dlp with its options, without description, format and output. */
  readonly command: readonly string[]
  /** Formats to download; empty when `files` has them. */
  readonly streams: readonly string[]
  readonly files: readonly string[]
  readonly subtitles: readonly string[]
  /** MP4's code for each of their languages. */
  readonly languages: Readonly<Record<string, string>>
  readonly subtitles_command: readonly string[]
  /** Null to pass on the single stream. */
  readonly ffmpeg: Readonly<Record<'program' | 'source' | 'maps' | 'output', readonly string[]>> | null
  readonly probe: readonly string[]
  readonly most_bytes: number
}

/** Maximum languages of subtitles. */
const MOST_LANGUAGES = 20
/** Formats served by sites: plain media files. Playlists and scripts (hls, dash, concat), which reference other files, are excluded. */
const DEMUXERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,aac,ac3,eac3,mp3,ogg,flac,wav,flv,avi,asf'
const MOST_PIXELS = '40000000'
const MOST_ALLOCATED = String(384 * 1024 * 1024)
const MUXERS: Readonly<Record<Container, readonly string[]>> = {
  // The file is written sequentially; an ordinary MP4 index would be written last, at the start.
  mp4: ['-movflags', '+frag_keyframe+delay_moov+default_base_moof', '-min_frag_duration', '1000000', '-f', 'mp4'],
  m4a: ['-movflags', '+delay_moov+default_base_moof', '-frag_duration', '5000000', '-f', 'ipod'],
  mp3: ['-write_xing', '0', '-f', 'mp3'],
}
const AAC = ['-c:a', 'aac', '-b:a', '192k']
/** H.264 requires even sides. */
const PICTURE = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2']

interface Wanted {
  readonly info: Info
  readonly container: Container
  readonly way: Way
  /** yt-dlp and its runtime options. */
  readonly ytDlp: readonly string[]
}

/** The job of a method. For a staged one, `files` are the names of the streams on disk. */
export function jobOf({ info, container, way, ytDlp }: Wanted, files: readonly string[] = []): Job {
  const [program = '', ...runtime] = ytDlp
  const common = [program, ...COMMON, ...runtime]
  const subtitles = container === 'mp4' && !way.raw ? info.subtitles.slice(0, MOST_LANGUAGES) : []
  return {
    // A stream written to a pipe cannot be restarted; its fragments can.
    command: [
      ...common,
      '--retries',
      '0',
      '--fragment-retries',
      '3',
      '--abort-on-unavailable-fragments',
      '--max-filesize',
      String(MOST_BYTES),
    ],
    streams: files.length > 0 ? [] : info.selected.map(({ id }) => id),
    files,
    subtitles,
    languages: Object.fromEntries(subtitles.map((language) => [language, mp4Language(language)])),
    subtitles_command: [
      ...common,
      '--skip-download',
      '--write-subs',
      '--sub-langs',
      subtitles.join(','),
      '--sub-format',
      'vtt/srt',
      '-o',
      'subs',
    ],
    ffmpeg: way.raw ? null : ffmpegOf(info, container, way),
    probe: probeOf(container),
    most_bytes: MOST_BYTES,
  }
}

/** The job that downloads one stream unchanged. */
export function streamJob(wanted: Wanted, stream: string): Job {
  return { ...jobOf({ ...wanted, way: { ...wanted.way, raw: true } }), streams: [stream] }
}

function ffmpegOf({ selected }: Info, container: Container, way: Way): NonNullable<Job['ffmpeg']> {
  const limits = ['-max_alloc', MOST_ALLOCATED, '-abort_on', 'empty_output']
  const sound = `${String(selected.length - 1)}:a:0`
  return {
    program: ['ffmpeg', '-nostdin', '-v', 'error', '-nostats', '-progress', 'progress', ...limits],
    source: ['-protocol_whitelist', 'pipe,file', '-format_whitelist', DEMUXERS, '-max_pixels', MOST_PIXELS],
    maps: container === 'mp4' ? ['-map', '0:v:0', '-map', selected.length === 1 ? `${sound}?` : sound] : ['-map', sound],
    output: [...codecsOf(container, way), ...MUXERS[container]],
  }
}

function codecsOf(container: Container, { converted, adts }: Way): string[] {
  const filter = adts && !converted ? ['-bsf:a', 'aac_adtstoasc'] : []
  if (container === 'mp3') return converted ? ['-c:a', 'libmp3lame', '-b:a', '192k'] : ['-c:a', 'copy']
  if (container === 'm4a') return converted ? AAC : ['-c:a', 'copy', ...filter]
  return [...(converted ? [...PICTURE, ...AAC] : ['-c', 'copy', ...filter]), '-c:s', 'mov_text']
}

function probeOf(container: Container): string[] {
  const entries = 'format=duration:stream=codec_type,codec_name,width,height'
  const from = container === 'mp3' ? 'mp3' : 'mov'
  return ['ffprobe', '-v', 'error', '-protocol_whitelist', 'pipe', '-f', from, '-show_entries', entries, '-of', 'json', '-i', 'pipe:0']
}

/** Title and chapters in FFmpeg's format (https://ffmpeg.org/ffmpeg-formats.html, "Metadata"). */
export function metaOf({ title, chapters }: { readonly title: string | null; readonly chapters: readonly Chapter[] }): string {
  const text = (value: string): string => value.replaceAll(/[=;#\\\n]/g, (sign) => `\\${sign}`)
  const ms = (seconds: number): string => String(Math.round(seconds * 1_000))
  const parts = chapters.map(
    ({ start, end, title: name }) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${ms(start)}\nEND=${ms(end)}\ntitle=${text(name)}\n`,
  )
  return `;FFMETADATA1\n${title === null ? '' : `title=${text(title)}\n`}${parts.join('')}`
}

/** The outcome written by `fetch.py`, with the results of ffprobe. */
export interface Outcome {
  readonly end: string
  /** Written to standard output. */
  readonly bytes: number
  readonly downloads: readonly number[]
  /** Exit code of FFmpeg; null when it was not started. */
  readonly ffmpeg: number | null
  /** The last messages of FFmpeg. */
  readonly errors: string
  /** Milliseconds written by FFmpeg. */
  readonly ms: number | null
  readonly subtitles: readonly string[]
  readonly width: number | null
  readonly height: number | null
  readonly hasPicture: boolean
  readonly hasSound: boolean
  /** Seconds by ffprobe. */
  readonly seconds: number | null
}

/** Throws a `broken` Fault when the run wrote none. */
export function outcomeOf({ files, code, stderr }: Pick<ExecResult, 'files' | 'code' | 'stderr'>): Outcome {
  const outcome = fileOf(files, 'outcome.json')
  const probe = fileOf(files, 'probe.json')
  const bytes = valueAt(outcome, 'bytes')
  if (typeof bytes !== 'number')
    throw new Fault('broken', 'The download ended without a result.', {
      internal: `code ${code}: ${Buffer.from(stderr).toString('utf8').slice(-500)}`,
    })
  const streams = valueAt(probe, 'streams')
  const all: readonly unknown[] = Array.isArray(streams) ? streams : []
  const picture = all.find((stream) => valueAt(stream, 'codec_type') === 'video')
  const downloads = valueAt(outcome, 'downloads')
  return {
    end: textAt(outcome, 'end'),
    bytes,
    downloads: Array.isArray(downloads) ? downloads.map(Number) : [],
    ffmpeg: numberOf(valueAt(outcome, 'ffmpeg')),
    errors: textAt(outcome, 'errors'),
    ms: numberOf(valueAt(outcome, 'ms')),
    subtitles: textsIn(valueAt(outcome, 'subtitles')),
    width: numberOf(valueAt(picture, 'width')),
    height: numberOf(valueAt(picture, 'height')),
    hasPicture: picture !== undefined,
    hasSound: all.some((stream) => valueAt(stream, 'codec_type') === 'audio'),
    seconds: numberOf(Number(valueAt(probe, 'format', 'duration') ?? NaN)),
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The JSON of a file; null when it is missing or was truncated by the end of its program. */
function fileOf(files: ExecResult['files'], name: string): unknown {
  const file = files.find((each) => each.name === name)
  try {
    return file === undefined ? null : foreignJson(file.data)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
