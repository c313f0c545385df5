import { Fault, provider, Type, type Given, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { listAt } from '../../_shared/value-at.js'
import { cobalt as vendor } from '../../_vendors/cobalt.js'
import { mediaConvert, mediaProbe } from '../../media/contract.js'
import { videoDownload, type Container, type DownloadInput } from '../contract.js'
import { containerOf, MOST_BYTES } from '../download/plan.js'
import { megabytes, qualityOf } from '../info/formats.js'
import { fileName, plainText } from '../names.js'
import { LINK_SECONDS, TYPES } from '../store.js'

const QUALITIES = [4320, 2160, 1440, 1080, 720, 480, 360, 240, 144]
const Reply = Type.Object({
  status: Type.String(),
  url: Type.Optional(Type.String()),
  filename: Type.Optional(Type.String()),
  picker: Type.Optional(Type.Unknown()),
})

/** The file is not left at the instance, whose links are valid for 90 seconds. */
export const cobalt = provider(videoDownload, {
  vendor,
  rank: 20,
  uses: [mediaProbe, mediaConvert],
  run: async (input, ctx) => {
    const container = containerOf(input)
    const reply = await ctx.api.json({ method: 'POST', path: '/', json: requestOf(input, container) }, Reply)
    if (reply.status === 'picker') throw several(reply.picker)
    if ((reply.status !== 'tunnel' && reply.status !== 'redirect') || reply.url === undefined)
      throw new Fault('broken', 'The cobalt instance returned no file.', { internal: `status ${reply.status}` })
    const { file } = await ctx.api.download(reply.url, { maxBytes: MOST_BYTES, kinds: ['video/*', 'audio/*', 'application/ogg'] })
    const made = await as(container, file, ctx)
    const title = titleOf(reply.filename ?? '')
    const filename = fileName(title, container)
    const stored = await ctx.scratch.store(made.file, { name: filename, contentType: TYPES[container], ttlSeconds: LINK_SECONDS })
    return {
      download_url: stored.url,
      expires_at: stored.expires_at,
      filename,
      filesize_mb: megabytes(stored.size),
      duration_seconds: made.duration,
      quality: container === 'mp4' ? qualityOf(made) : 'audio',
      format: container,
      title,
      thumbnail_url: null,
    }
  },
})

/** `localProcessing` would leave joining the streams to the client. */
function requestOf({ url, quality }: DownloadInput, container: Container): Record<string, string> {
  const common = { url, filenameStyle: 'basic', localProcessing: 'disabled' }
  if (container !== 'mp4') return { ...common, downloadMode: 'audio', audioFormat: container === 'mp3' ? 'mp3' : 'best' }
  const most = QUALITIES.find((each) => each <= Number(quality)) ?? 144
  return { ...common, downloadMode: 'auto', videoQuality: quality === 'best' ? 'max' : String(most), youtubeVideoContainer: 'mp4' }
}

/** A post with several pictures and videos. */
function several(picker: unknown): Fault {
  const count = listAt(picker).length
  return new Fault('invalid', `The post has ${String(count)} pictures or videos.`, {
    loc: ['url'],
    remedy: 'Use the address of one of its videos.',
  })
}

/** The title is the name without its extension and the bracket with the quality. */
function titleOf(filename: string): string | null {
  const name = filename.slice(0, 500).replace(/\.[a-z0-9]{2,4}$/i, '')
  const bracket = name.endsWith(')') ? name.lastIndexOf(' (') : -1
  return plainText(bracket > 0 ? name.slice(0, bracket) : name)
}

interface Made {
  readonly file: ScratchFile
  readonly duration: number | null
  readonly width: number | null
  readonly height: number | null
}

/** The file in the requested container, converted if the instance returned another. */
async function as(container: Container, file: ScratchFile, ctx: ProviderContext): Promise<Made> {
  const probed = await readable(ctx.call(mediaProbe, { file }))
  const picture = probed.streams.find(({ kind, cover }) => kind === 'video' && !cover)
  const sound = probed.streams.find(({ kind }) => kind === 'audio')
  if ((container === 'mp4' ? picture : sound) === undefined)
    throw new Fault('broken', 'The cobalt instance returned a file of another kind.')
  const sides = { width: picture?.width ?? null, height: picture?.height ?? null }
  const inMp4 = probed.container.split(',').includes('mp4')
  const fits =
    container === 'mp3' ? probed.container === 'mp3' : inMp4 && (container === 'mp4' || (picture === undefined && sound?.codec === 'aac'))
  if (fits) return { file, duration: probed.duration, ...sides }
  const given: Given<typeof mediaConvert.input> = { file, to: container }
  const made = await readable(ctx.call(mediaConvert, given))
  return { file: made.file, duration: made.duration ?? probed.duration, ...sides }
}

/** An unreadable file of the vendor is not the caller's mistake. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('broken', 'The cobalt instance returned a file that cannot be read.', { cause: error })
  }
}
