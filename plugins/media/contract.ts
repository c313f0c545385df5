import { nullable, oneOf, or, port, scratchFile, Type } from '../../core/sdk/index.js'

export { pairs as mediaPairs } from './formats/table.js'

const from = or(
  nullable(
    Type.String({ description: 'Format of the file, an id of `formats/`; the file is read as that format only. Null to detect it.' }),
  ),
  null,
)
const stream = Type.Object({
  kind: oneOf('video', 'audio', 'subtitle', 'other'),
  /** FFmpeg's name of the codec, for example `aac`; null when unknown. */
  codec: nullable(Type.String()),
  /** ISO 639-2. */
  language: nullable(Type.String()),
  /** Bits per second. */
  bit_rate: nullable(Type.Integer()),
  /** Pixels as stored, before rotation; for images and video. */
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  /** Clockwise rotation in degrees that a player applies. */
  rotation: nullable(Type.Integer()),
  /** Frames per second. */
  fps: nullable(Type.Number()),
  /** Sample rate in Hz. */
  sample_rate: nullable(Type.Integer()),
  channels: nullable(Type.Integer()),
  /** Whether the stream is an attached image, such as an album cover. */
  cover: Type.Boolean(),
})

/** Container and streams of an audio or video file. A file that is neither is an `invalid` Fault. */
export const mediaProbe = port({
  id: 'media.probe',
  input: Type.Object({ file: scratchFile, from }),
  output: Type.Object({
    /** FFmpeg's names of the container, for example `mov,mp4,m4a,3gp,3g2,mj2`. */
    container: Type.String(),
    /** Duration in seconds; null when the file does not state it. */
    duration: nullable(Type.Number()),
    bit_rate: nullable(Type.Integer()),
    title: nullable(Type.String()),
    streams: Type.Array(stream),
  }),
})

/** Converts an audio, video or subtitle file. An unreadable file or an unknown format is an `invalid` Fault. */
export const mediaConvert = port({
  id: 'media.convert',
  input: Type.Object({
    file: scratchFile,
    from,
    to: Type.String({ description: 'Target format, an id of `formats/`, for example mp3 (audio only) or mp4.' }),
    start: or(Type.Number({ minimum: 0, description: 'Start position in the source, in seconds.' }), 0),
    duration: or(nullable(Type.Number({ exclusiveMinimum: 0, description: 'Seconds to convert; null for all.' })), null),
    sample_rate: or(nullable(Type.Integer({ minimum: 8000, maximum: 192_000, description: 'Sample rate in Hz; null keeps it.' })), null),
    channels: or(nullable(Type.Integer({ minimum: 1, maximum: 2, description: 'Audio channels; null keeps them, at most two.' })), null),
    height: or(
      nullable(
        Type.Integer({ minimum: 16, maximum: 2160, description: 'Maximum height of the video in pixels; the aspect ratio is kept.' }),
      ),
      null,
    ),
  }),
  output: Type.Object({
    file: scratchFile,
    content_type: Type.String(),
    /** Duration of the result in seconds; null when it is not stated. */
    duration: nullable(Type.Number()),
  }),
})

export type ConvertInput = Readonly<{
  from: string | null
  to: string
  start: number
  duration: number | null
  sample_rate: number | null
  channels: number | null
  height: number | null
}>
