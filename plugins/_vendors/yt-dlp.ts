import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vendor } from '../../core/sdk/index.js'

const DAY_MS = 24 * 3600 * 1000
/** From this age on yt-dlp itself warns: sites change, and extractors must follow. */
const OLD_DAYS = 90
/** The oldest Node that yt-dlp supports (README, "JavaScript runtimes"). */
const LEAST_NODE = 22
const MENDS = 'npm run tools -- yt-dlp'

export interface Runtime {
  readonly name: 'deno' | 'node'
  /** Absolute path. */
  readonly path: string
}

/**
 * The runtime for scripts of sites: Deno beside yt-dlp, as installed by `npm run tools`, else the Node of this
 * process if yt-dlp supports it; null for none.
 */
export function runtimeOf(ytDlp: string, node = process.versions.node): Runtime | null {
  const deno = join(dirname(realpathSync(ytDlp)), 'deno')
  if (existsSync(deno)) return { name: 'deno', path: deno }
  return Number(node.split('.', 1)[0]) >= LEAST_NODE ? { name: 'node', path: process.execPath } : null
}

/** Date of an installed yt-dlp as YYYY.MM.DD, from its package beside the program or in Debian's location; null when not found. */
function versionOf(ytDlp: string): string | null {
  const lib = join(dirname(realpathSync(ytDlp)), '..', 'lib')
  const pythons = existsSync(lib) ? readdirSync(lib).filter((name) => name.startsWith('python3')) : []
  const places = [lib, ...pythons.flatMap((name) => ['site-packages', 'dist-packages'].map((each) => join(lib, name, each)))]
  const file = places.map((place) => join(place, 'yt_dlp', 'version.py')).find((path) => existsSync(path))
  return file === undefined ? null : (/^__version__ = '(\d{4}\.\d{2}\.\d{2})/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null)
}

/** Remarks of `capstan doctor` on an installed yt-dlp: outdated extractors, or no supported runtime. `now` in Unix milliseconds. */
export function remarksOn(ytDlp: string, now: number, node = process.versions.node): string[] {
  const version = versionOf(ytDlp)
  const days = version === null ? 0 : Math.floor((now - Date.parse(version.replaceAll('.', '-'))) / DAY_MS)
  const old = `yt-dlp ${version ?? ''} is ${days} days old, and sites change: update Capstan, then ${MENDS}`
  const lacking = `yt-dlp has no JavaScript runtime that it supports (Node ${node} is unsupported), so that some sites fail: ${MENDS}`
  return [...(days > OLD_DAYS ? [old] : []), ...(runtimeOf(ytDlp, node) === null ? [lacking] : [])]
}

/** yt-dlp on this machine, with FFmpeg for downloads. It runs the scripts of sites in Deno, inside the sandbox. */
export const ytDlp = vendor({
  id: 'yt-dlp',
  title: 'yt-dlp (local)',
  home: 'https://github.com/yt-dlp/yt-dlp#readme',
  programs: { 'yt-dlp': MENDS, python3: 'python3', ffmpeg: 'ffmpeg', ffprobe: 'ffmpeg', bwrap: 'bubblewrap' },
  remarks: (program, now) => {
    const found = program('yt-dlp')
    return found === undefined ? [] : remarksOn(found, now)
  },
})
