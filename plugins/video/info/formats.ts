import type { InfoOutput } from '../contract.js'
import type { Info, MediaFormat } from './fields.js'

type Listed = InfoOutput['formats'][number]

const MIB = 1024 * 1024

/** The shorter side of a video, which names its quality also for portrait videos: 720p. Null when unknown. */
export function qualityOf({ width, height }: Pick<MediaFormat, 'width' | 'height'>): string | null {
  return height === null ? null : `${String(Math.min(height, width ?? height))}p`
}

/** MiB with two decimals. */
export function megabytes(bytes: number): number {
  return Math.round((bytes / MIB) * 100) / 100
}

export function isSoundAlone({ vcodec, acodec }: MediaFormat): boolean {
  return vcodec === 'none' && acodec !== 'none'
}

/**
 * The formats from best to worst, audio only last; without audio-only formats, the one that audio is extracted from
 * takes their place. Storyboards are left out.
 */
export function listed({ formats, selected }: Pick<Info, 'formats' | 'selected'>): Listed[] {
  const all = formats.filter(({ vcodec, acodec, id }) => id !== '' && !(vcodec === 'none' && acodec === 'none')).reverse()
  const pictures = all.filter((format) => !isSoundAlone(format)).map((format) => entry(format, qualityOf(format)))
  const sounds = all.filter(isSoundAlone).map((format) => entry(format, 'audio'))
  const source = [...selected, ...all].find(({ acodec, id }) => acodec !== 'none' && id !== '')
  if (sounds.length === 0 && source !== undefined) sounds.push({ quality: 'audio', format_id: source.id, ext: 'mp3', filesize_mb: null })
  return [...pictures, ...sounds]
}

function entry({ id, ext, bytes }: MediaFormat, quality: string | null): Listed {
  return { quality, format_id: id, ext, filesize_mb: bytes === null ? null : megabytes(bytes) }
}
