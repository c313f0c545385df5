import { type Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply, TestGateway } from './gateway.js'

export const BOUNDARY = '----test-boundary'
export const FORM = `multipart/form-data; boundary=${BOUNDARY}`

export interface PartOptions {
  readonly name?: string
  /** Null sends none: a field that is no file. */
  readonly filename?: string | null
  /** Further header lines, each with its line end. */
  readonly headers?: string
}

/** The beginning of a part, up to its content. */
export function partHead({ name = 'file', filename = 'a.bin', headers = '' }: PartOptions = {}): string {
  const named = filename === null ? '' : `; filename="${filename}"`
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n${headers}\r\n`
}

/** A part with its content. */
export function part(content: string | Buffer, options: PartOptions = {}): Buffer {
  return Buffer.concat([Buffer.from(partHead(options)), Buffer.from(content), Buffer.from('\r\n')])
}

export const END = `--${BOUNDARY}--\r\n`

/** A whole form of these parts. */
export function form(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(END)])
}

export interface UploadOptions {
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Whose connections the upload uses; otherwise its own. */
  readonly agent?: Agent
}

/** An upload in the hands of a test: it is sent piece by piece, and may be left. */
export class Upload {
  readonly #request: ClientRequest
  /** Rejects when the connection broke before an answer came. */
  readonly reply: Promise<Reply>

  constructor({ url, key }: Pick<TestGateway, 'url' | 'key'>, options: UploadOptions = {}) {
    const bearer = options.key === undefined ? key : options.key
    this.#request = request(`${url}/v1/files`, {
      method: 'POST',
      agent: options.agent ?? false,
      headers: { 'content-type': FORM, ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...options.headers },
    })
    this.#request.flushHeaders()
    this.reply = new Promise((resolve, reject) => {
      this.#request.on('error', reject)
      this.#request.on('response', (response) => void replyOf(response).then(resolve, reject))
    })
    this.reply.catch(() => undefined)
  }

  /** Resolves when the bytes are on their way and more may be sent; also when the connection is gone. */
  async write(bytes: string | Buffer): Promise<void> {
    if (this.#request.destroyed || this.#request.write(bytes)) return
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        this.#request.off('drain', goOn).off('close', goOn)
        resolve()
      }
      this.#request.on('drain', goOn).on('close', goOn)
    })
  }

  end(bytes: string | Buffer = ''): void {
    this.#request.end(bytes)
  }

  /** The connection breaks. */
  leave(): void {
    this.#request.destroy()
  }
}

/** Sends a body at once. */
export async function upload(
  gateway: Pick<TestGateway, 'url' | 'key'>,
  body: string | Buffer,
  options: UploadOptions = {},
): Promise<Reply> {
  const sent = new Upload(gateway, { ...options, headers: { 'content-length': String(Buffer.byteLength(body)), ...options.headers } })
  sent.end(body)
  return await sent.reply
}

/** Data of the answer to an upload. */
export interface UploadedFile {
  readonly file_url: string
  readonly file_name: string
  readonly file_size: number
  readonly content_type: string
  readonly expires_at: string
}

/** The data of a success; throws with the answer of anything else. */
export function uploadedFile(reply: Reply): UploadedFile {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json<{ data: UploadedFile }>().data
}

/** Files in the artifact folder of a gateway's data, those half written too. */
export function storedFiles(data: string): string[] {
  const folder = join(data, 'artifacts')
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function replyOf(response: IncomingMessage): Promise<Reply> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    trailers: response.trailers,
    json: <T>() => JSON.parse(text) as T,
  }
}
