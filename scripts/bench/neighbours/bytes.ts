import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filled, MIB } from '../standstill/shape.js'
import type { Attack } from './attack.js'

const CONVERT = '/v1/files/convert'
/** A body of the largest size that a call may have. */
const LARGE = 24 * MIB - 100
/** A control character is six bytes in JSON, so that a page of 4.9 MB makes an answer of 29 MB. */
const ESCAPED = 4_900_000

/** Bytes that are not read, and bodies that never end. */
export const memory: readonly Attack[] = [
  {
    name: 'documents that are not read, without a key',
    atOnce: 900,
    path: '/v1/openapi.json',
    method: 'GET',
    keyless: true,
    body: () => '',
    readBytes: 0,
  },
  {
    name: 'answers of 29 MB that are not read',
    atOnce: 20,
    path: '/v1/scrape',
    body: (site, count) => JSON.stringify({ url: `${site}/page?${count}`, mode: 'fast' }),
    page: () => ({ contentType: 'text/plain', bytes: Buffer.alloc(ESCAPED, 1) }),
    readBytes: 0,
  },
  {
    name: 'bodies of 24 MiB that never end',
    atOnce: 20,
    path: '/v1/code/execute',
    body: () => filled(LARGE, 'x', ['{"code":"', '"}']),
    unfinished: true,
  },
]

/** A file that is to be converted. */
function converted(name: string, [from, to]: readonly [string, string], bytes: () => Uint8Array): Attack {
  return {
    name: `file: ${name}`,
    atOnce: 3,
    path: CONVERT,
    body: (site, count) => JSON.stringify({ file_url: `${site}/page?${count}`, source_format: from, target_format: to }),
    page: () => ({ contentType: 'application/octet-stream', bytes: bytes() }),
  }
}

/** Files that hold the event loop or a program up, and heads that do. */
export const files: readonly Attack[] = [
  converted('line breaks as subtitles', ['jss', 'srt'], () => Buffer.alloc(65_536, '\n')),
  converted('4 MB of tags before a second of sound', ['mp3', 'wav'], () =>
    Buffer.concat([tags(40, 100_000), ffmpeg('-f', 'lavfi', '-i', 'sine=d=1', '-f', 'mp3', '-id3v2_version', '0', '-')]),
  ),
  converted('ten minutes of film in 700 kB', ['mp4', 'webm'], film),
  {
    name: 'heads of parts of 16 KiB',
    atOnce: 8,
    path: '/v1/files',
    contentType: 'multipart/form-data; boundary=b',
    body: () => `--b\r\na:${'\t'.repeat(16_200)}\n\r\n\r\nx\r\n--b--\r\n`,
  },
  {
    name: 'vendor with long headers',
    atOnce: 20,
    path: '/v1/emails/verify',
    body: (_site, count) => JSON.stringify({ email: `n${count}@slow.test` }),
  },
]

/** An ID3v2.4 tag of so many frames of so many bytes (id3.org, ID3v2.4.0 structure). */
function tags(frames: number, bytes: number): Buffer {
  const frame = (index: number): Buffer => {
    const data = Buffer.concat([Buffer.from([3]), Buffer.from(`k${index}\0`), Buffer.alloc(bytes, 'x')])
    return Buffer.concat([Buffer.from('TXXX'), synchsafe(data.length), Buffer.alloc(2), data])
  }
  const body = Buffer.concat(Array.from({ length: frames }, (_, index) => frame(index)))
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), synchsafe(body.length), body])
}

/** Four bytes of seven bits each. */
function synchsafe(size: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 127))
}

/** Ten seconds of one colour, sixty times. */
function film(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-film-'))
  try {
    const part = join(folder, 'part.mp4')
    const colour = ['-f', 'lavfi', '-i', 'color=c=blue:s=1920x1080:r=30', '-t', '10']
    ffmpeg(...colour, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '51', '-g', '300', part)
    return ffmpeg('-stream_loop', '59', '-i', part, '-c', 'copy', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', '-')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function ffmpeg(...args: readonly string[]): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', ...args], { maxBuffer: 64 * MIB })
}
