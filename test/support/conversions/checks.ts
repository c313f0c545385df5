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

/** A file of an old Office program, in which letters are of one byte or of two. */
export function contains(words: string): Check {
  return (bytes) => {
    expect(bytes.includes(words, 0, 'utf16le') || bytes.includes(words, 0, 'latin1'), `${words} in the file`).to.equal(true)
  }
}

/** A picture of more than one colour. */
export function coloured(): Check {
  return (bytes, name) => {
    const coder = /[a-z0-9]+$/.exec(name)?.[0] ?? ''
    expect(Number(told('identify-im6.q16', ['-format', '%k\\n', `${coder}:result[0]`], bytes)), 'colours').to.be.greaterThan(1)
  }
}

/** A PDF on whose first page something is to be seen. */
export function visible(): Check {
  return (bytes) => {
    const page = told('pdftoppm', ['-r', '30', '-gray', '-singlefile', 'result'], bytes, 'latin1')
    expect(page.slice(0, 2)).to.equal('P5')
    expect(page.slice(20), 'an empty page').to.match(/[^\xff]/)
  }
}

/** An OpenDocument drawing, flat or not, or SVG, with a shape on it. */
export function shapes(): Check {
  return (bytes) => {
    const text = bytes.toString('latin1', 0, 2) === 'PK' ? told('bsdtar', ['-xOf', 'result', 'content.xml'], bytes) : bytes.toString('utf8')
    expect(text).to.match(/<(?:draw:|svg:)?(?:path|poly\w+|custom-shape|line|frame|circle|rect|image)[\s>]/)
  }
}

/** PostScript that runs to its end and marks the page. */
export function marks(): Check {
  return (bytes) => {
    const box = /%%HiResBoundingBox: ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)/.exec(
      told('sh', ['-c', 'gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=bbox result 2>&1'], bytes),
    )
    expect(Number(box?.[3]), 'what is drawn').to.be.greaterThan(Number(box?.[1]))
  }
}

/** PostScript with these words, where its letters are letters. */
export function typeset(words: string): Check {
  return (bytes) => {
    expect(told('gs', ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=txtwrite', '-sOutputFile=-', 'result'], bytes)).to.contain(words)
  }
}

/** About a second of sound that is not silent. */
export function sounding(): Check {
  return (bytes) => {
    const report = told('sh', ['-c', 'ffmpeg -hide_banner -i result -af volumedetect -f null - 2>&1'], bytes)
    const [, minutes, seconds] = /time=\d+:(\d+):([\d.]+)(?![^]*time=)/.exec(report) ?? []
    expect(Number(minutes) * 60 + Number(seconds), 'seconds').to.be.within(0.7, 2.2)
    expect(Number(/mean_volume: (-?[\d.]+) dB/.exec(report)?.[1]), 'decibels').to.be.greaterThan(-60)
  }
}

/** A film of several pictures. */
export function playing(): Check {
  return (bytes) => {
    const counted = ['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0']
    expect(Number.parseInt(told('ffprobe', [...counted, 'result'], bytes)), 'pictures').to.be.greaterThan(3)
  }
}

/** A picture that moves. */
export function animated(): Check {
  return async (bytes) => {
    expect((await sharp(bytes).metadata()).pages, 'pictures').to.be.greaterThan(1)
  }
}

/** What a program of this machine says of a file. */
export function told(program: string, args: readonly string[], bytes: Uint8Array, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const folder = mkdtempSync('/tmp/capstan-check-')
  try {
    writeFileSync(join(folder, 'result'), bytes)
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}
