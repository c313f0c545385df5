import type { ConvertInput } from './contract.js'

interface Target {
  readonly contentType: string
  /** Codecs and container, in FFmpeg's options. */
  readonly options: readonly string[]
  readonly picture: boolean
}

const AAC = ['-c:a', 'aac', '-b:a', '128k']
const TARGETS: Readonly<Record<ConvertInput['to'], Target>> = {
  mp3: { contentType: 'audio/mpeg', options: ['-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3'], picture: false },
  m4a: { contentType: 'audio/mp4', options: [...AAC, '-movflags', '+faststart', '-f', 'ipod'], picture: false },
  wav: { contentType: 'audio/wav', options: ['-c:a', 'pcm_s16le', '-f', 'wav'], picture: false },
  flac: { contentType: 'audio/flac', options: ['-c:a', 'flac', '-f', 'flac'], picture: false },
  ogg: { contentType: 'audio/ogg', options: ['-c:a', 'libvorbis', '-q:a', '4', '-f', 'ogg'], picture: false },
  opus: { contentType: 'audio/ogg', options: ['-c:a', 'libopus', '-b:a', '64k', '-f', 'ogg'], picture: false },
  mp4: {
    contentType: 'video/mp4',
    options: [
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '26',
      '-pix_fmt',
      'yuv420p',
      ...AAC,
      '-movflags',
      '+faststart',
      '-f',
      'mp4',
    ],
    picture: true,
  },
  webm: {
    contentType: 'video/webm',
    options: ['-c:v', 'libvpx', '-b:v', '1M', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-b:a', '64k', '-f', 'webm'],
    picture: true,
  },
}

export function contentTypeOf(to: ConvertInput['to']): string {
  return TARGETS[to].contentType
}

/** FFmpeg's options between its source and its result. Pictures get even sides, which codecs want. */
export function conversion({ to, duration, sample_rate, channels, height }: ConvertInput): string[] {
  const { options, picture } = TARGETS[to]
  const side = height === null ? 'ih' : `min(ih\\,${String(height)})`
  return [
    ...(duration === null ? [] : ['-t', String(duration)]),
    ...(picture ? ['-map', '0:V:0?', '-vf', `scale=-2:trunc(${side}/2)*2`] : ['-vn']),
    ...['-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1'],
    ...(sample_rate === null ? [] : ['-ar', String(sample_rate)]),
    ...(channels === null ? [] : ['-ac', String(channels)]),
    ...options,
  ]
}
