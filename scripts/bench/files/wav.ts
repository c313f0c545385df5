import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { BenchGateway } from './gateway.js'

const CHUNK = 1024 * 1024
const BOUNDARY = 'bench-files-boundary'

/** What `POST /v1/files` answers. */
interface UploadedFile {
  readonly file_url: string
  readonly file_size: number
  readonly content_type: string
}

/** Uploads a WAV file of so many bytes as it is made. `atHalf` is called when half of it was sent. Throws when the gateway refuses it. */
export async function uploadWav(gateway: BenchGateway, size: number, atHalf: () => void = () => undefined): Promise<UploadedFile> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="noise.wav"\r\ncontent-type: audio/wav\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const sent = request(`${gateway.url}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + size + tail.length,
    },
  })
  const response = once(sent, 'response') as Promise<[IncomingMessage]>
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!sent.write(bytes)) await once(sent, 'drain')
  }
  await write(head)
  await write(wavHeader(size))
  const chunk = Buffer.alloc(CHUNK, 0x5a)
  for (let at = 44; at < size; at += CHUNK) {
    if (at > size / 2 && at - CHUNK <= size / 2) atHalf()
    await write(at + CHUNK <= size ? chunk : chunk.subarray(0, size - at))
  }
  sent.end(tail)
  const [answer] = await response
  const chunks: Buffer[] = []
  for await (const piece of answer) chunks.push(piece as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  if (answer.statusCode !== 200) throw new Error(`POST /v1/files answered ${String(answer.statusCode)}: ${text}`)
  return (JSON.parse(text) as { data: UploadedFile }).data
}

/** The header of a WAV file of so many bytes in all: 16-bit stereo at 44,100 Hz (RIFF, IBM and Microsoft, 1991). */
export function wavHeader(size: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(size - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(2, 22)
  header.writeUInt32LE(44_100, 24)
  header.writeUInt32LE(176_400, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(size - 44, 40)
  return header
}
