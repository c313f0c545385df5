import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'

/** A recording of a person, and what is said in it. */
export interface SpokenFile {
  readonly path: string
  readonly said: string
  /** Samples without a header: 16 bits at 16,000 a second. */
  readonly raw: boolean
}

const PACKAGE = 'pocketsphinx-testdata'
const DATA = 'usr/share/pocketsphinx/test/data'
/** A line of a transcription: `<s> ten of clubs  </s> (001)`. */
const LINE = /^<s>(.*)<\/s>\s+\((\S+)\)$/

/**
 * The recordings of people of a Debian package: playing cards, a novel read aloud, an order to a robot. The package on the machine is used, else it
 * is unpacked into `.build` as data. Null where it cannot be had.
 */
export function recordings(): SpokenFile[] | null {
  const folder = [join('/', DATA), join(packageRoot(), '.build', PACKAGE, DATA)].find(existsSync) ?? unpacked()
  if (folder === null) return null
  return [
    ...listed(join(folder, 'cards'), 'cards.transcription'),
    ...listed(join(folder, 'librivox'), 'transcription'),
    { path: join(folder, 'goforward.raw'), said: 'go forward ten meters', raw: true },
  ]
}

function listed(folder: string, list: string): SpokenFile[] {
  const lines = readFileSync(join(folder, list), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, said, name] = LINE.exec(line.trim()) ?? []
    return said === undefined || name === undefined ? [] : [{ path: join(folder, `${name}.wav`), said: said.trim(), raw: false }]
  })
}

function unpacked(): string | null {
  const place = join(packageRoot(), '.build', PACKAGE)
  mkdirSync(place, { recursive: true })
  const run = (program: string, ...args: string[]): boolean =>
    spawnSync(program, args, { cwd: place, stdio: ['ignore', 'ignore', 2], timeout: 120_000 }).status === 0
  if (!run('apt-get', 'download', PACKAGE)) return null
  const archive = readdirSync(place).find((name) => name.endsWith('.deb'))
  return archive !== undefined && run('dpkg', '-x', archive, '.') ? join(place, DATA) : null
}
