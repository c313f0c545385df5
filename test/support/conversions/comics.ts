import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeZip } from '../zip-writer.js'
import { gradient } from './pictures.js'
import type { Sample } from './trips/types.js'

/** A comic of two pages in each form; bsdtar packs the one of 7-Zip. */
export async function comics(): Promise<Readonly<Record<string, Sample>>> {
  const pages = { '1.png': await gradient(), '2.jpg': await gradient('jpeg') }
  const cbz = writeZip(pages)
  return { cbz, cbc: writeZip({ 'comics.txt': 'one.cbz:The first\n', 'one.cbz': cbz }), cb7: () => sevenZip(pages) }
}

function sevenZip(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const folder = mkdtempSync('/tmp/capstan-comic-')
  try {
    for (const [name, data] of Object.entries(files)) writeFileSync(join(folder, name), data)
    const { status, stderr } = spawnSync('bsdtar', ['-cf', 'made.7z', '--format', '7zip', ...Object.keys(files)], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return readFileSync(join(folder, 'made.7z'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
