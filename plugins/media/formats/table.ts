import { Fault } from '../../../core/sdk/index.js'
import { AUDIO } from './audio.js'
import { SUBTITLES } from './subtitles.js'
import type { MediaFormat, MediaFormats } from './types.js'
import { VIDEO } from './video.js'

type Kind = 'audio' | 'video' | 'subtitle'
const KINDS: Readonly<Record<Kind, MediaFormats>> = { audio: AUDIO, video: VIDEO, subtitle: SUBTITLES }
const EVERY: readonly (readonly [Kind, MediaFormats])[] = [
  ['audio', AUDIO],
  ['video', VIDEO],
  ['subtitle', SUBTITLES],
]

export interface Target {
  readonly kind: Kind
  readonly type: string
  readonly writing: readonly string[]
  readonly filters: readonly string[]
  readonly demuxer: string | null
}

/** Throws Fault `invalid` for a format that cannot be written. */
export function targetOf(to: string): Target {
  for (const [kind, formats] of EVERY) {
    const { type, writing, filters = [], demuxer = null } = formats[to] ?? {}
    if (type !== undefined && writing !== undefined) return { kind, type, writing, filters, demuxer }
  }
  throw new Fault('invalid', `FFmpeg writes no ${to} files here.`, { loc: ['to'] })
}

/** The demuxer of a format. Throws Fault `invalid` for one that cannot be read. */
export function demuxerOf(from: string): string {
  const found = EVERY.map(([, formats]) => formats[from]?.demuxer).find((demuxer) => demuxer !== undefined)
  if (found === undefined) throw new Fault('invalid', `FFmpeg reads no ${from} files here.`, { loc: ['from'] })
  return found
}

export function demuxers(): string[] {
  return EVERY.flatMap(([, formats]) => Object.values(formats)).flatMap(({ demuxer }) => (demuxer === undefined ? [] : [demuxer]))
}

/** Whether a container, by FFmpeg's name, holds text subtitles. */
export function isSubtitles(container: string): boolean {
  return Object.values(SUBTITLES).some(({ demuxer }) => demuxer === container)
}

/** Supported sources and their targets. */
export function pairs(): { readonly from: readonly string[]; readonly to: readonly string[] }[] {
  const read = (kind: Kind): string[] => named(kind, ({ demuxer }) => demuxer !== undefined)
  const written = (kind: Kind): string[] => named(kind, ({ writing }) => writing !== undefined)
  return [
    { from: read('audio'), to: written('audio') },
    { from: read('video'), to: written('video') },
    { from: named('video', ({ demuxer, writing }) => demuxer !== undefined && writing?.includes('-an') !== true), to: written('audio') },
    { from: read('subtitle'), to: written('subtitle') },
    { from: ['mkv', 'mp4', 'mov', 'webm'], to: written('subtitle') },
  ]
}

function named(kind: Kind, which: (format: MediaFormat) => boolean): string[] {
  return Object.entries(KINDS[kind]).flatMap(([id, format]) => (which(format) ? [id] : []))
}
