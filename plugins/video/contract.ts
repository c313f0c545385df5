import { capability, flat, nullable, oneOf, or, Type, type Price, type Static, type Violation } from '../../core/sdk/index.js'
import { addressViolations } from '../_shared/address.js'

const url = Type.String({
  minLength: 1,
  maxLength: 8192,
  description: 'URL of a page with one video, of a post that contains one, or of a media file; http or https.',
})
const SECOND = 1_000
const LEAST_HEIGHT = 144
const MOST_HEIGHT = 4320

/** Metadata of a video, without downloading it. */
export const videoInfo = capability({
  id: 'video.info',
  path: '/v1/video/info',
  phrases: [
    { say: '* video clip views length duration uploader metadata resolution formats title thumbnail channel published youtube vimeo' },
    { say: 'title|length|duration|views|uploader|formats|metadata|thumbnail of video|clip {url}' },
    { say: 'video info|information|metadata|details' },
    { say: 'about|info video|clip' },
    { say: 'how many views' },
    { say: 'how long is video|clip|film' },
    { say: 'who uploaded|published|posted video|clip' },
    { say: 'which formats|qualities resolutions|available|come' },
    { say: 'when was video|clip uploaded|published' },
  ],
  title: 'Get video metadata',
  description:
    'Returns title, duration, uploader, upload date, view count, thumbnail and available formats of a video, or of a ' +
    'post that contains one, on more than 1,700 sites. Nothing is downloaded. Live streams, playlists, and videos ' +
    'that are private, removed, restricted by age, region or payment, protected by DRM or behind a login fail with ' +
    'an error that states the reason and are not charged.',
  input: Type.Object({ url }),
  output: Type.Object({
    title: nullable(Type.String()),
    duration_seconds: nullable(Type.Number()),
    thumbnail_url: nullable(Type.String()),
    uploader: nullable(Type.String({ description: 'Person or channel that published the video.' })),
    upload_date: nullable(Type.String({ description: 'Upload date, YYYY-MM-DD.' })),
    view_count: nullable(Type.Integer()),
    platform: nullable(Type.String({ description: 'Name of the site in lower case; `generic` for an unknown site.' })),
    formats: Type.Array(
      Type.Object({
        quality: nullable(Type.String({ description: 'Shorter side of the video in pixels, such as 720p; `audio` for audio only.' })),
        format_id: Type.String(),
        ext: nullable(Type.String()),
        filesize_mb: nullable(Type.Number({ description: 'File size in MiB; an estimate for some sites.' })),
      }),
      { description: 'Formats, best first. The last one has quality `audio`: what video.download returns as mp3 or m4a.' },
    ),
  }),
  price: flat(1),
  timeoutMs: 60 * SECOND,
  work: 'media',
  check: ({ url }) => addressViolations(url, { loc: ['url'] }),
  examples: [
    { title: 'Metadata of a video', params: { url: 'https://example.com/watch/1' } },
    { title: 'Metadata of a media file', params: { url: 'https://example.com/talk.mp4' } },
  ],
})

interface Kind {
  readonly quality: string
  readonly format: 'mp4' | 'mp3' | 'm4a' | null
}

/** Whether the input requests audio only. */
export function isAudio({ quality, format }: Kind): boolean {
  return quality === 'audio' || format === 'mp3' || format === 'm4a'
}

const PRICES = { video: 3, audio: 2 }
const byKind: Price<Kind> = {
  table: PRICES,
  quote: (input, table = PRICES) => {
    const kind = isAudio(input) ? 'audio' : 'video'
    const credits = table[kind]
    if (credits === undefined) throw new RangeError(`no price for "${kind}"`)
    return credits
  },
}

/** Downloads one video, or its audio, into the file store. */
export const videoDownload = capability({
  id: 'video.download',
  path: '/v1/video/download',
  phrases: [
    { say: '* download save rip grab offline mp4 mp3 video clip film youtube' },
    { say: 'download|save|grab|rip|get video|clip|film {url}' },
    { say: 'download|grab|rip {url}' },
    { say: 'save {url} as mp3|mp4|m4a' },
    { say: 'video|clip on|to disk|file|computer|phone' },
    { say: 'download video|audio|sound|music of|from {url}' },
    { say: 'best quality', params: { quality: 'best' } },
    { say: 'audio|sound only|alone', params: { quality: 'audio' } },
    { say: 'only audio|sound', params: { quality: 'audio' } },
  ],
  title: 'Download a video',
  description:
    'Downloads a video, or only its audio, and returns a link to the file that is valid for 1 hour. Video is MP4 in ' +
    'the best quality up to the requested one; audio is MP3 or M4A. Chapters and subtitles are kept if the site has ' +
    'them. The file size limit is 1 GiB. Live streams, playlists, and videos that are private, removed, restricted ' +
    'by age, region or payment, protected by DRM or behind a login fail with an error that states the reason and are ' +
    'not charged.',
  input: Type.Object({
    url,
    quality: or(
      Type.String({
        pattern: '^(?:audio|best|[0-9]{3,4})$',
        description: 'Maximum resolution in lines, 144 to 4320; `best`: no maximum; `audio`: audio only.',
      }),
      '720',
    ),
    format: or(
      nullable({
        ...oneOf('mp4', 'mp3', 'm4a'),
        description: 'mp4: video; mp3, m4a: audio only. Default mp4, or mp3 with quality `audio`.',
      }),
      null,
    ),
  }),
  output: Type.Object({
    download_url: Type.String({ description: 'Link to the file, valid for 1 hour; supports range requests.' }),
    expires_at: Type.String({ description: 'Expiry time of the link, ISO 8601.' }),
    filename: Type.String(),
    filesize_mb: Type.Number({ description: 'File size in MiB.' }),
    duration_seconds: nullable(Type.Number()),
    quality: nullable(Type.String({ description: 'Shorter side of the video in pixels, such as 720p, or `audio`.' })),
    format: oneOf('mp4', 'mp3', 'm4a'),
    title: nullable(Type.String()),
    thumbnail_url: nullable(Type.String()),
  }),
  price: byKind,
  timeoutMs: 300 * SECOND,
  work: 'media',
  normalise: (input) =>
    input.format === null ? { ...input, format: input.quality === 'audio' ? ('mp3' as const) : ('mp4' as const) } : input,
  check: ({ url, quality, format }) => [...addressViolations(url, { loc: ['url'] }), ...qualityViolations(quality, format)],
  examples: [
    { title: 'A video in up to 720 lines', params: { url: 'https://example.com/watch/1' } },
    { title: 'A video in the best quality', params: { url: 'https://example.com/watch/1', quality: 'best' } },
    { title: 'Only the audio', params: { url: 'https://example.com/watch/1', format: 'mp3' } },
  ],
})

function qualityViolations(quality: string, format: Kind['format']): Violation[] {
  if (quality === 'audio') return format === 'mp4' ? [{ loc: ['format'], msg: 'must be mp3 or m4a with quality `audio`' }] : []
  if (quality === 'best' || (Number(quality) >= LEAST_HEIGHT && Number(quality) <= MOST_HEIGHT)) return []
  return [{ loc: ['quality'], msg: `must be audio, best or a height from ${LEAST_HEIGHT} to ${MOST_HEIGHT}` }]
}

export type InfoOutput = Static<typeof videoInfo.output>
export type DownloadInput = Static<typeof videoDownload.input>
export type DownloadOutput = Static<typeof videoDownload.output>

/** File format of a download: `format` of a normalised input. */
export type Container = DownloadOutput['format']
