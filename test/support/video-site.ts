import { spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite, type Site } from './browser-site.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Seconds of each film. */
export const FILM_SECONDS = 3

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt',
}

/** Films of one picture size made by FFmpeg, in the forms in which sites serve them, and a site on loopback that does. */
export class VideoSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'capstan-video-'))

  /** Makes `film.mp4` (index first), `late.mp4` (index last), `hls.m3u8`, `dash.mpd`, `sound.mp3` and `foreign.webm`. */
  make(): void {
    const seconds = String(FILM_SECONDS)
    const sources = ['-f', 'lavfi', '-i', `testsrc=s=320x180:r=10:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`]
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
    this.#ffmpeg(...sources, ...codecs, '-movflags', '+faststart', 'film.mp4')
    this.#ffmpeg('-i', 'film.mp4', '-c', 'copy', 'late.mp4')
    this.#ffmpeg('-i', 'film.mp4', '-c', 'copy', '-hls_time', '1', '-hls_playlist_type', 'vod', 'hls.m3u8')
    this.#ffmpeg('-i', 'film.mp4', '-c', 'copy', '-seg_duration', '1', '-f', 'dash', 'dash.mpd')
    this.#ffmpeg('-i', 'film.mp4', '-vn', '-c:a', 'libmp3lame', 'sound.mp3')
    this.#ffmpeg('-i', 'film.mp4', '-t', '1', '-an', '-c:v', 'libvpx', '-deadline', 'realtime', 'foreign.webm')
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** Serves the files of the folder, and before them the pages. */
  async serve(pages: Readonly<Record<string, string | Answer>>): Promise<Site> {
    const files: Record<string, Answer> = new Proxy(
      {},
      {
        get: (_, path) => {
          const name = String(path).slice(1)
          return /^[\w.-]+$/.test(name) && existsSync(this.path(name))
            ? (_request: IncomingMessage, response: ServerResponse) => this.#send(name, response)
            : undefined
        },
      },
    )
    return await startSite(
      new Proxy(pages, {
        get: (own, path) => (typeof path === 'string' && path in own ? own[path] : Reflect.get(files, path)) as string | Answer,
      }),
    )
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #send(name: string, response: ServerResponse): void {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-length': statSync(this.path(name)).size })
    createReadStream(this.path(name)).pipe(response)
  }

  #ffmpeg(...args: string[]): void {
    const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { cwd: this.folder })
    if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr.toString()}`)
  }
}

/** The findings of ffprobe in a file. */
export interface Probed {
  readonly container: string
  /** Seconds. */
  readonly duration: number
  readonly title: string | null
  readonly chapters: readonly string[]
  /** Kinds with codecs, such as `video h264 320x180`, `audio aac`, `subtitle mov_text eng`. */
  readonly streams: readonly string[]
}

interface Found {
  readonly format: { readonly format_name: string; readonly duration: string; readonly tags?: { readonly title?: string } }
  readonly chapters: readonly { readonly tags?: { readonly title?: string } }[]
  readonly streams: readonly {
    readonly codec_type: string
    readonly codec_name: string
    readonly width?: number
    readonly height?: number
    readonly tags?: { readonly language?: string }
  }[]
}

/** Inspects bytes with ffprobe. Throws when it cannot read them, or finds something wrong in them. */
export function probed(bytes: Buffer): Probed {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-probe-'))
  try {
    writeFileSync(join(folder, 'file'), bytes)
    const wanted = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_chapters', 'file']
    const { status, stdout, stderr } = spawnSync('ffprobe', wanted, { cwd: folder })
    if (status !== 0 || stderr.length > 0) throw new Error(`ffprobe: ${stderr.toString()}`)
    const { format, streams, chapters } = JSON.parse(stdout.toString()) as Found
    return {
      container: format.format_name,
      duration: Number(format.duration),
      title: format.tags?.title ?? null,
      chapters: chapters.map(({ tags }) => tags?.title ?? ''),
      streams: streams.map(({ codec_type: kind, codec_name: codec, width, height, tags }) =>
        [
          kind,
          codec,
          ...(kind === 'video' ? [`${String(width)}x${String(height)}`] : []),
          ...(kind === 'subtitle' ? [tags?.language ?? ''] : []),
        ].join(' '),
      ),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
