import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../../core/exec/programs.js'
import { furnish } from '../../gateway/furnish.js'
import { markPeak, peakMib, residentMib } from '../../gateway/process.js'
import { must, startGateway } from '../../gateway/start.js'
import { median, row, type Say } from './figure.js'
import { largestFile } from './through.js'

const MIB = 1024 * 1024
const SIZE = 500 * MIB
const RUNS = 5
/** A box of MP4 that players skip (ISO/IEC 14496-12, `free`), with its size in front. */
const BOX_HEAD = 8

interface Downloaded {
  readonly data: { readonly filesize_mb: number }
}

/** A film of 500 MiB through `video.download`: memory of the gateway, and whether bytes are in the store before the last has come; and what `video.info` adds to yt-dlp's own start. */
export async function benchVideo(say: Say): Promise<void> {
  const ytDlp = findProgram('yt-dlp', undefined)
  if (ytDlp === undefined) return say('| video | not measured: npm run tools -- yt-dlp | | |')
  const temporary = mkdtempSync(join(tmpdir(), 'bench-video-'))
  chmodSync(temporary, 0o711)
  const film = shortFilm(temporary)
  let atHalf: () => void = () => undefined
  const server = createServer((request, response) => {
    if (request.url === '/film.mp4')
      return void response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length }).end(film)
    void sendLong(film, response, () => atHalf()).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  try {
    const gateway = await startGateway({ upstream: url, env: { TMPDIR: temporary, CAPSTAN_ALLOW_PRIVATE: new URL(url).host } })
    try {
      const [key = ''] = await furnish(gateway, 1)
      const call = async (path: string, name: string): Promise<unknown> => await must(gateway.url + path, key, { url: `${url}/${name}` })
      await call('/v1/video/download', 'film.mp4')
      const before = residentMib(gateway.pid)
      let stored = 0
      atHalf = () => (stored = largestFile(join(gateway.data, 'artifacts')))
      markPeak(gateway.pid)
      const began = performance.now()
      const { data } = (await call('/v1/video/download', 'long.mp4')) as Downloaded
      if (data.filesize_mb !== SIZE / MIB) throw new Error(`the film came out with ${String(data.filesize_mb)} MiB`)
      say(
        row('500 MiB of video to an artifact: peak resident memory above that before', peakMib(gateway.pid) - before, {
          most: 60,
          unit: 'MiB',
        }),
      )
      say(row('of them in the store when half was sent', stored / MIB, { least: 1, unit: 'MiB' }))
      say(`| the whole download | ${((performance.now() - began) / 1_000).toFixed(1)} s | | |`)
      const [own, whole] = [[] as number[], [] as number[]]
      for (let run = 0; run < RUNS; run++) {
        own.push(await timed(() => alone(ytDlp, `${url}/film.mp4`)))
        whole.push(await timed(() => call('/v1/video/info', 'film.mp4')))
      }
      say(
        row('video.info beside yt-dlp on its own, medians of five in turn', (median(whole) - median(own)) / 1_000, {
          most: 1.5,
          unit: 's',
        }),
      )
      say(`| yt-dlp on its own | ${(median(own) / 1_000).toFixed(2)} s | | |`)
    } finally {
      await gateway.stop()
    }
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** yt-dlp as it is started by hand; in a process whose end is waited for while the server answers. */
async function alone(ytDlp: string, url: string): Promise<void> {
  const [code] = (await once(spawn(ytDlp, ['--ignore-config', '--no-cache-dir', '-J', '--', url], { stdio: 'ignore' }), 'close')) as [
    number,
  ]
  if (code !== 0) throw new Error(`yt-dlp ended with ${String(code)}`)
}

function shortFilm(folder: string): Buffer {
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=640x360:r=25:d=4', '-f', 'lavfi', '-i', 'sine=d=4']
  const made = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    join(folder, 'film.mp4'),
  ]
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', ...sources, ...made])
  if (status !== 0) throw new Error(`ffmpeg: ${stderr.toString()}`)
  return readFileSync(join(folder, 'film.mp4'))
}

/** The film with a box behind it that makes it 500 MiB, as fast as it is read. */
async function sendLong(film: Buffer, response: ServerResponse, atHalf: () => void): Promise<void> {
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!response.write(bytes)) await once(response, 'drain')
  }
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': SIZE })
  const head = Buffer.alloc(BOX_HEAD)
  head.writeUInt32BE(SIZE - film.length)
  head.write('free', 4)
  await write(film)
  await write(head)
  const chunk = Buffer.alloc(MIB)
  for (let at = film.length + BOX_HEAD; at < SIZE && !response.destroyed; at += MIB) {
    if (at > SIZE / 2 && at - MIB <= SIZE / 2) atHalf()
    await write(chunk.subarray(0, Math.min(MIB, SIZE - at)))
  }
  response.end()
}
