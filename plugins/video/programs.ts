import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resource } from '../../core/sdk/index.js'

/** What the sandbox of yt-dlp is started with. */
export interface Programs {
  /** Absolute path of yt-dlp, where the sandbox shows it; its name alone where it is not installed. */
  readonly ytDlp: string
  /** Options that name the runtime for scripts of sites; none when this machine has no runtime that yt-dlp supports. */
  readonly runtime: readonly string[]
  /** Folders and files that are shown beside those of the program that is started. */
  readonly readOnly: readonly string[]
}

/** The oldest Node that yt-dlp supports. */
const LEAST_NODE = 22

/** yt-dlp and its runtime on this machine. */
export const programs = resource<Programs>({
  id: 'video.programs',
  open: (host) => {
    const found = host.program('yt-dlp')
    if (found === undefined) return Promise.resolve({ ytDlp: 'yt-dlp', runtime: [], readOnly: [] })
    const path = realpathSync(found)
    const folder = dirname(path)
    const beside = [folder, ...(folder.endsWith('/bin') ? [join(folder, '..', 'lib')] : [])]
    const deno = [join(folder, 'deno'), host.program('deno') ?? ''].find((each) => each !== '' && existsSync(each))
    const node = Number(process.versions.node.split('.', 1)[0]) >= LEAST_NODE ? process.execPath : undefined
    const runtime = deno === undefined ? node : realpathSync(deno)
    const shown = [...beside.filter((each) => existsSync(each)), ...(runtime === undefined ? [] : [runtime])].map((each) =>
      realpathSync(each),
    )
    return Promise.resolve({
      ytDlp: path,
      runtime: runtime === undefined ? [] : ['--js-runtimes', `${runtime === node ? 'node' : 'deno'}:${runtime}`],
      readOnly: [...new Set(shown)].filter((each) => !each.startsWith('/usr/')),
    })
  },
})
