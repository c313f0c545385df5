import { nullable, oneOf, or, port, scratchFile, Type } from '../../core/sdk/index.js'

export { pairs as mediaPairs } from './formats/table.js'

const from = or(
  nullable(Type.String({ description: 'What the file is, an id of `formats/`: read as that and nothing else; null to find out.' })),
  null,
)
const stream = Type.Object({
  kind: oneOf('video', 'audio', 'subtitle', 'other'),
  /** FFmpeg's name of the codec, for example `aac`; null when it is not known. */
  codec: nullable(Type.String()),
  /** ISO 639-2. */
  language: nullable(Type.String()),
  /** Bits a second. */
  bit_rate: nullable(Type.Integer()),
  /** Pixels as stored, before rotation; of pictures and videos. */
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  /** Degrees clockwise by which a player turns the picture. */
  rotation: nullable(Type.Integer()),
  /** Frames a second. */
  fps: nullable(Type.Number()),
  /** Samples a second. */
  sample_rate: nullable(Type.Integer()),
  channels: nullable(Type.Integer()),
  /** A picture that comes with the sound, such as an album's cover. */
  cover: Type.Boolean(),
})

/** What is in an audio or video file. A file that is neither is an `invalid` Fault. */
export const mediaProbe = port({
  id: 'media.probe',
  input: Type.Object({ file: scratchFile, from }),
  output: Type.Object({
    /** FFmpeg's names of the container, for example `mov,mp4,m4a,3gp,3g2,mj2`. */
    container: Type.String(),
    /** Seconds; null when the file does not say. */
    duration: nullable(Type.Number()),
    bit_rate: nullable(Type.Integer()),
    title: nullable(Type.String()),
    streams: Type.Array(stream),
  }),
})

/** An audio or video file, or subtitles, in another form. A file that cannot be read, and a form that is not known, are `invalid` Faults. */
export const mediaConvert = port({
  id: 'media.convert',
  input: Type.Object({
    file: scratchFile,
    from,
    to: Type.String({ description: 'An id of `formats/`, for example mp3, which carries sound alone, or mp4.' }),
    start: or(Type.Number({ minimum: 0, description: 'Second of the source to begin at.' }), 0),
    duration: or(nullable(Type.Number({ exclusiveMinimum: 0, description: 'Seconds to take; null for all.' })), null),
    sample_rate: or(nullable(Type.Integer({ minimum: 8000, maximum: 192_000, description: 'Samples a second; null as it is.' })), null),
    channels: or(nullable(Type.Integer({ minimum: 1, maximum: 2, description: 'Channels of sound; null as it is, at most two.' })), null),
    height: or(
      nullable(Type.Integer({ minimum: 16, maximum: 2160, description: 'Largest height of the picture; the width follows.' })),
      null,
    ),
  }),
  output: Type.Object({
    file: scratchFile,
    content_type: Type.String(),
    /** Seconds of the new file; null when it does not say. */
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
