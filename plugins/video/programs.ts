import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resource } from '../../core/sdk/index.js'
import { runtimeOf } from '../_vendors/yt-dlp.js'

/** Start options of yt-dlp's sandbox. */
export interface Programs {
  /** Absolute path of yt-dlp in the sandbox; only its name when it is not installed. */
  readonly ytDlp: string
  /** Options for the runtime of site scripts; empty without a supported runtime. */
  readonly runtime: readonly string[]
  /** Folders and files mounted beside those of the program. */
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
