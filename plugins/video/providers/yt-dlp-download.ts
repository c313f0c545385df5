import { provider, type ProviderContext } from '../../../core/sdk/index.js'
import { ytDlp as vendor } from '../../_vendors/yt-dlp.js'
import { videoDownload, type Container, type DownloadInput } from '../contract.js'
import { assertPossible, containerOf, selectionOf } from '../download/plan.js'
import { streamed, type Downloaded } from '../download/stream.js'
import type { Info } from '../info/fields.js'
import { megabytes, qualityOf } from '../info/formats.js'
import { readInfo } from '../info/read.js'
import { fileName } from '../names.js'
import { LINK_SECONDS, TYPES } from '../store.js'

/** Seconds by which a file may be shorter than the site's figure before that is doubted. */
const DOUBT_SECONDS = 1

export const ytDlpDownload = provider(videoDownload, {
  vendor,
  rank: 10,
  run: async (input, ctx) => {
    const container = containerOf(input)
    const info = await readInfo(input.url, selectionOf(input), ctx)
    assertPossible(info, container)
    const filename = fileName(info.title, container)
    const got: { last: Downloaded | null } = { last: null }
    const bytes = streamed(ctx, { info, container }, (downloaded) => (got.last = downloaded))
    const stored = await ctx.files.put(bytes, { name: filename, contentType: TYPES[container], ttlSeconds: LINK_SECONDS })
    const downloaded = got.last
    const quality = container === 'mp4' ? qualityOf(downloaded?.outcome ?? { width: null, height: null }) : 'audio'
    if (downloaded !== null) noteLosses(ctx, { info, container, input, downloaded })
    return {
      download_url: stored.url,
      expires_at: stored.expires_at,
      filename,
      filesize_mb: megabytes(stored.size),
      duration_seconds: secondsOf(info, downloaded),
      quality,
      format: container,
      title: info.title,
      thumbnail_url: info.thumbnail,
    }
  },
})

/**
 * For a joined file the longer of FFmpeg's duration, which lacks frames that an encoder reordered at the end, and that of its
 * first fragments; for a passed-on one that of its index, unless that covers only its first part.
 */
function secondsOf({ duration }: Info, downloaded: Downloaded | null): number | null {
  const { ms = null, seconds = null } = downloaded?.outcome ?? {}
  const own = ms === null ? seconds : Math.max(ms / 1_000, seconds ?? 0)
  return own === null || (duration !== null && own < duration - DOUBT_SECONDS) ? duration : own
}

interface Made {
  readonly info: Info
  readonly container: Container
  readonly input: DownloadInput
  readonly downloaded: Downloaded
}

function noteLosses(ctx: ProviderContext, { info, container, input, downloaded }: Made): void {
  const { outcome, way } = downloaded
  if (container !== 'mp4') return
  const missing = way.raw ? 0 : info.subtitles.length - outcome.subtitles.length
  if (missing > 0) ctx.note(`${String(missing)} of ${String(info.subtitles.length)} subtitles could not be kept.`)
  if (way.converted) ctx.note('Picture and sound were encoded anew: MP4 cannot carry the codecs that the site has.')
  const lines = Math.min(outcome.height ?? 0, outcome.width ?? Infinity)
  if (/^\d+$/.test(input.quality) && lines > Number(input.quality))
    ctx.note(`The site has no quality up to ${input.quality}p; the nearest one was taken.`)
}
