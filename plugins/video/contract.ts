import { capability, flat, nullable, oneOf, or, Type, type Price, type Static, type Violation } from '../../core/sdk/index.js'
import { addressViolations } from '../_shared/address.js'

const url = Type.String({
  minLength: 1,
  maxLength: 8192,
  description: 'Address of a page with one video, of a post that contains one, or of a media file; http or https.',
})
const SECOND = 1_000
const LEAST_HEIGHT = 144
const MOST_HEIGHT = 4320

/** What is known of a video without its download. */
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
  title: 'Information on a video',
  description:
    'Reads title, length, uploader, date, views, thumbnail and the available formats of a video or of a post that contains one, on more than 1,700 sites. ' +
    'Nothing is downloaded. Live streams, playlists, and videos that are private, removed, restricted by age, region or payment, protected by DRM or behind a ' +
    'login are an error that says which of these it is, and cost nothing.',
  input: Type.Object({ url }),
  output: Type.Object({
    title: nullable(Type.String()),
    duration_seconds: nullable(Type.Number()),
    thumbnail_url: nullable(Type.String()),
    uploader: nullable(Type.String({ description: 'Who published it: a person or a channel.' })),
    upload_date: nullable(Type.String({ description: 'YYYY-MM-DD.' })),
    view_count: nullable(Type.Integer()),
    platform: nullable(Type.String({ description: 'The site, in lower case; `generic` for a page of no known site.' })),
    formats: Type.Array(
      Type.Object({
        quality: nullable(Type.String({ description: 'The smaller side of the picture, such as 720p; `audio` for sound alone.' })),
        format_id: Type.String(),
        ext: nullable(Type.String()),
        filesize_mb: nullable(Type.Number({ description: 'MiB; of some sites an estimate.' })),
      }),
      { description: 'Best first. The last one has quality `audio`: what video.download gives as mp3 or m4a.' },
    ),
  }),
  price: flat(1),
  timeoutMs: 60 * SECOND,
  work: 'media',
  check: ({ url }) => addressViolations(url, { loc: ['url'] }),
  examples: [
    { title: 'What is this video?', params: { url: 'https://example.com/watch/1' } },
    { title: 'A media file', params: { url: 'https://example.com/talk.mp4' } },
  ],
})

interface Kind {
  readonly quality: string
  readonly format: 'mp4' | 'mp3' | 'm4a' | null
}

/** Whether the input is for sound alone. */
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

/** Downloads one video, or its sound, into the store. */
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
    'Downloads a video, or its sound alone, and gives a link to the file that is valid for 1 hour. Video is MP4 in the best quality up to the one given; sound ' +
    'is MP3 or M4A. Chapters and subtitles are kept where the site has them. Files may have 1 GiB. Live streams, playlists, and videos that are private, removed, ' +
    'restricted by age, region or payment, protected by DRM or behind a login are an error that says which of these it is, and cost nothing.',
  input: Type.Object({
    url,
    quality: or(
      Type.String({
        pattern: '^(?:audio|best|[0-9]{3,4})$',
        description:
          'Most lines of the picture, 144 to 4320: the best available up to this is taken. `best` for the best of all, `audio` for the sound alone.',
      }),
      '720',
    ),
    format: or(
      nullable({
        ...oneOf('mp4', 'mp3', 'm4a'),
        description: 'mp4 is video; mp3 and m4a are the sound alone. Default mp4, with quality `audio` mp3.',
      }),
      null,
    ),
  }),
  output: Type.Object({
    download_url: Type.String({ description: 'Link to the file, valid for 1 hour; it takes range requests.' }),
    expires_at: Type.String({ description: 'ISO 8601.' }),
    filename: Type.String(),
    filesize_mb: Type.Number({ description: 'MiB.' }),
    duration_seconds: nullable(Type.Number()),
    quality: nullable(Type.String({ description: 'What the file has: its smaller side, such as 720p, or `audio`.' })),
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
    { title: 'A video with at most 720 lines', params: { url: 'https://example.com/watch/1' } },
    { title: 'The best there is', params: { url: 'https://example.com/watch/1', quality: 'best' } },
    { title: 'The sound alone', params: { url: 'https://example.com/watch/1', format: 'mp3' } },
  ],
})

function qualityViolations(quality: string, format: Kind['format']): Violation[] {
  if (quality === 'audio') return format === 'mp4' ? [{ loc: ['format'], msg: 'mp4 is video: quality `audio` gives mp3 or m4a' }] : []
  if (quality === 'best' || (Number(quality) >= LEAST_HEIGHT && Number(quality) <= MOST_HEIGHT)) return []
  return [{ loc: ['quality'], msg: `must be audio, best or a height from ${LEAST_HEIGHT} to ${MOST_HEIGHT}` }]
}

export type InfoOutput = Static<typeof videoInfo.output>
export type DownloadInput = Static<typeof videoDownload.input>
export type DownloadOutput = Static<typeof videoDownload.output>

/** What a download is made as: `format` of an input in its normal form. */
export type Container = DownloadOutput['format']
