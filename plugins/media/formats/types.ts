/** FFmpeg's options for reading and writing a format. */
export interface MediaFormat {
  readonly type: string
  /** FFmpeg's name of its demuxer; without one the format is write-only. */
  readonly demuxer?: string
  /** Codecs and container as FFmpeg options; without them the format is read-only. */
  readonly writing?: readonly string[]
  /** Video filters, applied after scaling. */
  readonly filters?: readonly string[]
}

export type MediaFormats = Readonly<Record<string, MediaFormat>>

/** Audio codec, further options and container. */
export function sound(codec: string, container: string, ...more: readonly string[]): readonly string[] {
  return ['-c:a', codec, ...more, '-f', container]
}
