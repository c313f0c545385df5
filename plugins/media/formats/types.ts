/** How FFmpeg reads and writes a format. */
export interface MediaFormat {
  readonly type: string
  /** FFmpeg's name of its demuxer; without one the format is only written. */
  readonly demuxer?: string
  /** Codecs and container, in FFmpeg's options; without them the format is only read. */
  readonly writing?: readonly string[]
  /** Of the pictures, after they have their size. */
  readonly filters?: readonly string[]
}

export type MediaFormats = Readonly<Record<string, MediaFormat>>

/** Codec, further options and container of sound. */
export function sound(codec: string, container: string, ...more: readonly string[]): readonly string[] {
  return ['-c:a', codec, ...more, '-f', container]
}
