import { Fault, foreignJson, isRecord, type Static } from '../../core/sdk/index.js'
import type { mediaProbe } from './contract.js'

type Probed = Static<typeof mediaProbe.output>
type Stream = Probed['streams'][number]
type Fields = Readonly<Record<string, unknown>>

const KINDS = ['video', 'audio', 'subtitle'] as const
const MOST_STREAMS = 100

/**
 * The entries that `probed` reads, as an ffprobe option (https://ffmpeg.org/ffprobe.html): long tags of a file are
 * not written.
 */
export const ENTRIES = [
  'format=format_name,duration,bit_rate',
  'format_tags=title',
  'stream=codec_type,codec_name,bit_rate,width,height,avg_frame_rate,sample_rate,channels',
  'stream_tags=language,rotate',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':')

/**
 * Parses the output of `ffprobe -of json -show_entries ENTRIES`. Throws Fault `invalid` when it was `cut`, since the
 * file made it too long, and `broken` for other output.
 */
export function probed(output: Uint8Array, cut = false): Probed {
  if (cut) throw new Fault('invalid', 'The metadata of the file is too large: it has too many streams, or too long a title.')
  let value: unknown
  try {
    value = foreignJson(output)
  } catch (error) {
    throw new Fault('broken', 'ffprobe answered in a form that was not understood.', { cause: error })
  }
  const format = fieldsOf(fieldsOf(value).format)
  const container = format.format_name
  if (typeof container !== 'string') throw new Fault('broken', 'ffprobe named no container.')
  const listed: unknown = fieldsOf(value).streams
  const streams: readonly unknown[] = Array.isArray(listed) ? listed : []
  return {
    container,
    duration: numberOf(format.duration),
    bit_rate: integerOf(format.bit_rate),
    title: textOf(fieldsOf(format.tags).title),
    streams: streams.slice(0, MOST_STREAMS).map((stream) => streamOf(fieldsOf(stream))),
  }
}

function streamOf(stream: Fields): Stream {
  const tags = fieldsOf(stream.tags)
  const language = textOf(tags.language)
  return {
    kind: KINDS.find((kind) => kind === stream.codec_type) ?? 'other',
    codec: textOf(stream.codec_name),
    language: language === 'und' ? null : language,
    bit_rate: integerOf(stream.bit_rate),
    width: integerOf(stream.width),
    height: integerOf(stream.height),
    rotation: rotationOf(stream, tags),
    fps: stream.codec_type === 'video' ? ratioOf(stream.avg_frame_rate) : null,
    sample_rate: integerOf(stream.sample_rate),
    channels: integerOf(stream.channels),
    cover: fieldsOf(stream.disposition).attached_pic === 1,
  }
}

/** The display matrix is counter-clockwise, the older tag clockwise. */
function rotationOf({ side_data_list: listed, codec_type: kind }: Fields, { rotate }: Fields): number | null {
  if (kind !== 'video') return null
  const sides: readonly unknown[] = Array.isArray(listed) ? listed : []
  const matrix = sides.map((side) => numberOf(fieldsOf(side).rotation)).find((turn) => turn !== null)
  const clockwise = matrix === undefined || matrix === null ? (numberOf(rotate) ?? 0) : -matrix
  return ((Math.round(clockwise) % 360) + 360) % 360
}

function ratioOf(value: unknown): number | null {
  const [, over, under] = /^(\d+)\/(\d+)$/.exec(typeof value === 'string' ? value : '') ?? []
  const ratio = Number(over) / Number(under)
  return Number.isFinite(ratio) && ratio > 0 ? Math.round(ratio * 1000) / 1000 : null
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : NaN
  return Number.isFinite(number) ? number : null
}

function integerOf(value: unknown): number | null {
  const number = numberOf(value)
  return number !== null && Number.isSafeInteger(number) ? number : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}
