import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/** Throws when a result is not what it should be. */
export type Check = (bytes: Buffer, name: string) => void | Promise<void>

/** Text that has these words, however its lines are broken. */
export function says(...words: readonly string[]): Check {
  return (bytes) => {
    const text = bytes.toString('utf8').replace(/\s+/g, ' ')
    for (const each of words) expect(text).to.contain(each)
  }
}

/** A picture that sharp reads, about this large and with about these mean colours, as far as the format on the way kept them. */
export function drawn(wanted: {
  readonly width?: number
  readonly height?: number
  readonly colour?: readonly number[]
  readonly within?: number
}): Check {
  const { width, height, colour, within = 12 } = wanted
  return async (bytes) => {
    const found = await sharp(bytes).metadata()
    if (width !== undefined) expect(found.width, 'width').to.equal(width)
    if (height !== undefined) expect(found.height, 'height').to.equal(height)
    if (colour === undefined) return
    const { data, info } = await sharp(bytes)
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const sums = [0, 0, 0]
    for (const [at, value] of data.entries()) if (at % info.channels < 3) sums[at % info.channels] = (sums[at % info.channels] ?? 0) + value
    const means = sums.map((sum) => sum / (info.width * info.height))
    for (const [at, value] of colour.entries())
      expect(means[info.channels < 3 ? 0 : at], `colour ${at} of ${means.join()}`).to.be.closeTo(value, within)
  }
}

/** An archive in which bsdtar finds a file with this content. */
export function archived(file: string, content: string): Check {
  return (bytes) => {
    expect(told('bsdtar', ['-xOf', 'result', file], bytes)).to.equal(content)
  }
}

/** A ZIP archive, such as a document, with these words in one of its parts. */
export function holds(words: string): Check {
  return (bytes) => {
    expect(
      told('bsdtar', ['-xOf', 'result'], bytes)
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' '),
    ).to.contain(words)
  }
}

/** A PDF with these words. */
export function printed(words: string): Check {
  return (bytes) => {
    expect(told('pdftotext', ['-enc', 'UTF-8', 'result', '-'], bytes)).to.contain(words)
  }
}

/** What a program of this machine says of a file. */
export function told(program: string, args: readonly string[], bytes: Uint8Array): string {
  const folder = mkdtempSync('/tmp/capstan-check-')
  try {
    writeFileSync(join(folder, 'result'), bytes)
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}
