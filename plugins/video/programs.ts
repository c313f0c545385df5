import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resource } from '../../core/sdk/index.js'
import { runtimeOf } from '../_vendors/yt-dlp.js'

/** What the sandbox of yt-dlp is started with. */
export interface Programs {
  /** Absolute path of yt-dlp, where the sandbox shows it; its name alone where it is not installed. */
  readonly ytDlp: string
  /** Options that name the runtime for scripts of sites; none when this machine has no runtime that yt-dlp supports. */
  readonly runtime: readonly string[]
  /** Folders and files that are shown beside those of the program that is started. */
  readonly readOnly: readonly string[]
}

/** yt-dlp and its runtime on this machine. */
export const programs = resource<Programs>({
  id: 'video.programs',
  open: (host) => {
    const found = host.program('yt-dlp')
    if (found === undefined) return Promise.resolve({ ytDlp: 'yt-dlp', runtime: [], readOnly: [] })
    const path = realpathSync(found)
    const folder = dirname(path)
    const runtime = runtimeOf(path)
    const shown = [folder, ...(folder.endsWith('/bin') ? [join(folder, '..', 'lib')] : []), ...(runtime === null ? [] : [runtime.path])]
    const real = shown.filter((each) => existsSync(each)).map((each) => realpathSync(each))
    return Promise.resolve({
      ytDlp: path,
      runtime: runtime === null ? [] : ['--js-runtimes', `${runtime.name}:${runtime.path}`],
      readOnly: [...new Set(real)].filter((each) => !each.startsWith('/usr/')),
    })
  },
})
