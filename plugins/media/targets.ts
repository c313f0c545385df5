import type { ConvertInput } from './contract.js'
import type { Target } from './formats/table.js'

/** FFmpeg's options between source and result. Video gets even sides, which codecs require. */
export function conversion({ kind, writing, filters }: Target, { duration, sample_rate, channels, height }: ConvertInput): string[] {
  const side = height === null ? 'ih' : `min(ih\\,${String(height)})`
  const streams = {
    audio: ['-vn', '-map', '0:a:0?', '-sn'],
    video: ['-map', '0:V:0?', '-vf', [`scale=-2:trunc(${side}/2)*2`, ...filters].join(','), '-map', '0:a:0?', '-sn'],
    subtitle: ['-vn', '-an', '-map', '0:s:0?'],
  }
  return [
    ...(duration === null ? [] : ['-t', String(duration)]),
    ...streams[kind],
    ...['-dn', '-map_metadata', '-1'],
    ...(sample_rate === null ? [] : ['-ar', String(sample_rate)]),
    ...(channels === null ? [] : ['-ac', String(channels)]),
    ...writing,
  ]
}
