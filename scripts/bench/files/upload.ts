import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { freePort, residentMib, start } from '../../gateway/process.js'
import { startGateway, type Gateway } from '../../gateway/start.js'
import { median, row, type Say } from './figure.js'

const MIB = 1024 * 1024
const SIZE_MIB = 500
const ROUNDS = 3
const BOUNDARY = '----bench-boundary'
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
const TAIL = `\r\n--${BOUNDARY}--\r\n`
/** As much as a socket brings at once. */
const PLAIN_BYTES = 64 * 1024

const CONTENTS: readonly (readonly [string, Buffer])[] = [
  ['random bytes', randomBytes(MIB)],
  ['a table with CRLF', Buffer.from('2026-01-31,item,12\r\n'.repeat(MIB / 20 + 1)).subarray(0, MIB)],
  ['carriage returns', Buffer.alloc(MIB, '\r')],
]

/** `POST /v1/files` beside a plain write of the same bytes into the same folder, and beside a bare Node server that pipes the same form into it. */
export async function benchUpload(say: Say): Promise<void> {
  const gateway = await startGateway({
    upstream: 'http://127.0.0.1:9',
    env: { CAPSTAN_ARTIFACTS_QUOTA: '100GiB', CAPSTAN_ARTIFACTS_TTL: '1' },
  })
  const folder = join(gateway.data, 'artifacts')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const program = join(packageRoot(), 'scripts', 'bench', 'files', 'pipe.mjs')
  const bare = await start('bare', `http://127.0.0.1:${port}`, { program: process.execPath, args: [program, String(port), folder] })
  try {
    let grown = 0
    // The first brings what later ones find: modules, threads, buffers.
    await uploadOnce(gateway, Buffer.alloc(MIB), 100)
    for (const [name, unit] of CONTENTS) {
      const rounds: { plain: number; piped: number; uploaded: number; grew: number }[] = []
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({
          plain: await plainWrite(folder, unit),
          piped: (await sendForm(bare.url, {}, { unit, mib: SIZE_MIB })).rate,
          ...(await uploadOnce(gateway, unit, SIZE_MIB)),
        })
      const middle = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick))
      const speeds = `${middle(({ uploaded }) => uploaded).toFixed(0)} beside ${middle(({ plain }) => plain).toFixed(0)} MB/s`
      const ratio = middle(({ plain, uploaded }) => uploaded / plain)
      say(row(`POST /v1/files beside a plain write, ${SIZE_MIB} MiB of ${name} (${speeds})`, ratio, { least: 0.5, unit: 'times' }))
      const toBare = middle(({ piped, uploaded }) => uploaded / piped)
      say(row('the same beside a bare Node server that pipes the form into a file', toBare, { unit: 'times' }))
      grown = Math.max(grown, ...rounds.map(({ grew }) => grew))
    }
    say(row('resident memory above that before, the most of these uploads', grown, { most: 60, unit: 'MiB' }))
  } finally {
    await bare.stop()
    await gateway.stop()
  }
}

/** MB/s of a file that is written in pieces of 64 KiB, and deleted. */
async function plainWrite(folder: string, unit: Buffer): Promise<number> {
  const path = join(folder, 'plain')
  const began = performance.now()
  const file = await open(path, 'wx')
  for (let left = SIZE_MIB; left > 0; left--) for (let at = 0; at < unit.length; at += PLAIN_BYTES) await file.write(unit, at, PLAIN_BYTES)
  await file.close()
  const rate = rateOf(SIZE_MIB, began)
  rmSync(path)
  return rate
}

/** Uploads so many times the unit, and deletes the file. */
async function uploadOnce(gateway: Gateway, unit: Buffer, mib: number): Promise<{ uploaded: number; grew: number }> {
  const before = residentMib(gateway.pid)
  let most = before
  const watch = setInterval(() => (most = Math.max(most, residentMib(gateway.pid))), 20)
  const key = { authorization: `Bearer ${gateway.first?.key ?? ''}` }
  const { rate, text } = await sendForm(`${gateway.url}/v1/files`, key, { unit, mib })
  clearInterval(watch)
  const { data } = JSON.parse(text) as { data: { file_url: string } | null }
  if (data === null) throw new Error(`the upload was refused: ${text}`)
  const id = new URL(data.file_url).pathname.split('/')[2] ?? ''
  rmSync(join(gateway.data, 'artifacts', id.slice(0, 2), id))
  return { uploaded: rate, grew: most - before }
}

/** Sends a form with a file of so many times the unit; MB/s until the answer, and the answer. */
async function sendForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  { unit, mib }: { readonly unit: Buffer; readonly mib: number },
): Promise<{ rate: number; text: string }> {
  const began = performance.now()
  const sent = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': HEAD.length + mib * unit.length + TAIL.length,
    },
  })
  const answered = once(sent, 'response')
  sent.write(HEAD)
  for (let left = mib; left > 0; left--) if (!sent.write(unit)) await once(sent, 'drain')
  sent.end(TAIL)
  const [response] = (await answered) as [IncomingMessage]
  const rate = rateOf(mib, began)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return { rate, text }
}

function rateOf(mib: number, began: number): number {
  return (mib * MIB) / 1e6 / ((performance.now() - began) / 1000)
}
