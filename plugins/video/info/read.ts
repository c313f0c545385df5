import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import { programFault } from '../../_shared/program-fault.js'
import { programs } from '../programs.js'
import { infoOf, type Info } from './fields.js'
import { refusalOf } from './refusals.js'

const MIB = 1024 * 1024
/** Descriptions of long videos with many formats have several megabytes. */
const MOST_INFO = 16 * MIB
/** yt-dlp uses 100 MiB, the runtime for a site's scripts more. */
const MEMORY_MB = 1024
const PROCESSES = 64
const RETRIES = '2'
const SOCKET_SECONDS = '15'

/**
 * Ignores the user's configuration, plugins, cookies and caches, executes nothing, loads no code from the network,
 * and reads only the first entries of a list.
 */
export const COMMON: readonly string[] = [
  ...['--ignore-config', '--no-cache-dir', '--no-plugin-dirs', '--no-exec', '--no-cookies', '--no-cookies-from-browser'],
  ...['--no-remote-components', '--no-update', '--no-mark-watched', '--no-playlist', '--flat-playlist', '--playlist-items', '1:2'],
  ...['--no-warnings', '--color', 'never', '--socket-timeout', SOCKET_SECONDS, '--extractor-retries', '1', '--no-js-runtimes'],
  // FFmpeg would open addresses by itself; only yt-dlp may download.
  ...['--ffmpeg-location', '/nonexistent'],
]

export interface Selection {
  /** yt-dlp format selection (README, "Format selection"). */
  readonly format: string
  readonly sort: string
}

/** The best of all, for information. */
export const ANY: Selection = { format: 'bv*+ba/b', sort: 'res,fps,hdr:12,vcodec:h264,acodec:aac' }

/**
 * The description of the video at an address, without downloading it. Throws a specific Fault when there is none;
 * `invalid` for a live stream and for a list.
 */
export async function readInfo(url: string, { format, sort }: Selection, ctx: ProviderContext): Promise<Info> {
  const { runtime, readOnly } = await ctx.use(programs)
  ctx.progress('reading the page')
  const wanted = [...COMMON, ...runtime, '--retries', RETRIES, '--no-progress', '-f', format, '-S', sort, '-J', '--', url]
  const result = await ctx.exec('yt-dlp', wanted, {
    ...{ network: true, readOnly, memoryMb: MEMORY_MB, processes: PROCESSES, diskMb: 64, maxOutput: MOST_INFO },
  })
  if (result.stopped !== null || result.code >= 129)
    throw programFault(result, {
      done: 'read',
      refused: 'The page cannot be read.',
      subject: 'The page of the video',
      timeLeft: ctx.timeLeft(),
    })
  if (result.code !== 0) throw refusalOf(Buffer.from(result.stderr).toString('utf8'))
  if (result.stdoutCut) throw new Fault('missing', 'The description of the video is too long to be read.', { final: true })
  return single(infoOf(result.stdout))
}

function single(info: Info): Info {
  const refused = (message: string, remedy: string): Fault => new Fault('invalid', message, { loc: ['url'], final: true, remedy })
  if (info.isPlaylist) throw refused('The address is a list of several videos.', 'Use the address of one of its videos.')
  if (info.isLive)
    throw refused('The address is a live stream; only finished videos can be read.', 'Use the address of its recording, once there is one.')
  const usable = info.formats.filter(({ hasDrm }) => !hasDrm)
  if (info.formats.length > 0 && usable.length === 0) throw refusalOf('ERROR: This video is DRM protected')
  return { ...info, formats: usable }
}
