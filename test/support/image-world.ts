import type { IncomingMessage, ServerResponse } from 'node:http'
import sharp, { type Sharp } from 'sharp'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { needs } from './exec-sandbox.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'

/** What a call of images.generate is answered. */
export interface ImageAnswer {
  readonly data: { readonly b64_json: string; readonly content_type: string } | null
  readonly credits_used: number
  readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string }[]
  readonly error: { readonly detail: string } | null
  readonly metadata: {
    readonly provider_used: string | null
    readonly notes?: readonly string[]
    readonly attempts: readonly { readonly provider: string; readonly port: string; readonly outcome: string }[]
  }
}

type Says = (request: IncomingMessage, response: ServerResponse) => void

/** A vendor that answers JSON. */
export const json =
  (value: unknown, status = 200): Says =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** gemini with a picture. */
export const drawn = (bytes: Buffer, mimeType = 'image/png'): Says =>
  json({ candidates: [{ content: { parts: [{ inlineData: { mimeType, data: bytes.toString('base64') } }] }, finishReason: 'STOP' }] })

/** gemini without one. */
export const refuses: Says = json({ promptFeedback: { blockReason: 'SAFETY' } })

/** The model server with a picture. */
export const painted = (bytes: Buffer): Says => json({ data: [{ b64_json: bytes.toString('base64') }] })

/** Left half red, right half blue, brighter towards the bottom, so that it has many tones. */
export async function picture(width: number, height: number): Promise<Sharp> {
  const raw = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at += 1)
    raw[at * 3 + (at % width < width / 2 ? 0 : 2)] = 160 + Math.floor((64 * Math.floor(at / width)) / height)
  return sharp(
    await sharp(raw, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  )
}

export const png = async (width: number, height: number): Promise<Buffer> => await (await picture(width, height)).png().toBuffer()

/** A picture of one colour. */
export const plain = (background: string): Sharp => sharp({ create: { width: 64, height: 64, channels: 3, background } })

/** A gateway with gemini and a model server of the operator's, both scripted, and a server of files. */
export class ImageWorld {
  /** What vendors do. */
  readonly says: { gemini: Says; openai: Says }
  /** Requests to vendors. */
  readonly asked: { readonly path: string; readonly body: Buffer }[] = []
  readonly square: Buffer
  readonly #served = new Map<string, { readonly bytes: Buffer; readonly type: string }>()
  #parts: { readonly vendors: Running; readonly files: Running; readonly gateway: TestGateway; readonly key: string } | null = null

  private constructor(square: Buffer) {
    this.square = square
    this.says = { gemini: drawn(square), openai: painted(square) }
  }

  static async start(): Promise<ImageWorld> {
    const world = new ImageWorld(await png(512, 512))
    const vendors = await httpServer((request, response) => world.#answer(request, response))
    const files = await httpServer((request, response) => {
      const file = world.#served.get(request.url ?? '')
      if (file === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': file.type }).end(file.bytes)
    })
    const env = {
      CAPSTAN_VENDOR_GEMINI_URL: `${vendors.url}/gemini`,
      GEMINI_API_KEY: 'key-of-gemini',
      CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `${vendors.url}/openai/v1`,
      CAPSTAN_IMAGES_OPENAI_COMPATIBLE_MODEL: 'painter',
      CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${String(files.port)}`,
      CAPSTAN_IMAGES_STYLE: 'In the style of the house.',
    }
    const gateway = await startGateway({ bundled: true, env })
    world.#parts = { vendors, files, gateway, key: (await gateway.newKey()).key }
    return world
  }

  get gateway(): TestGateway {
    return this.#running.gateway
  }

  get files(): Running {
    return this.#running.files
  }

  /** Clears the recorded requests and has both vendors draw again. */
  reset(): void {
    this.asked.length = 0
    this.says.gemini = drawn(this.square)
    this.says.openai = painted(this.square)
  }

  async post(params: Record<string, unknown>): Promise<Reply> {
    return await this.gateway.send('/v1/images/generate', { method: 'POST', body: params, key: this.#running.key })
  }

  /** A call with a prompt; `bytes` is the picture. */
  async generate(params: Record<string, unknown> = {}): Promise<{ status: number; body: ImageAnswer; bytes: Buffer }> {
    const reply = await this.post({ prompt: 'A red kettle', ...params })
    const body = reply.json<ImageAnswer>()
    return { status: reply.status, body, bytes: Buffer.from(body.data?.b64_json ?? '', 'base64') }
  }

  /** The address of a file that is served under this path. */
  link(path: string, bytes: Buffer, type: string): string {
    this.#served.set(path, { bytes, type })
    return this.files.url + path
  }

  /** The body of a request to a vendor. */
  sent(at = 0): Record<string, unknown> {
    return JSON.parse(this.asked[at]?.body.toString() ?? '{}') as Record<string, unknown>
  }

  async close(): Promise<void> {
    if (this.#parts === null) return
    await this.#parts.gateway.close()
    await Promise.all([this.#parts.files.close(), this.#parts.vendors.close()])
  }

  get #running() {
    if (this.#parts === null) throw new Error('the world has not started')
    return this.#parts
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      this.asked.push({ path, body: Buffer.concat(chunks) })
      this.says[path.startsWith('/gemini') ? 'gemini' : 'openai'](request, response)
    })
  }
}

/** Hooks of a suite: a world that is started for it, reset before each test and closed at the end. Skips the suite where bubblewrap is missing. */
export function withImageWorld(started: (world: ImageWorld) => void): void {
  let world: ImageWorld | null = null
  before(async function () {
    needs(this, 'bwrap')
    world = await ImageWorld.start()
    started(world)
  })
  beforeEach(() => world?.reset())
  after(() => world?.close())
}

/** Vendors of pictures, and what came of them. */
export const outcomes = ({ metadata }: ImageAnswer): string[] =>
  metadata.attempts.filter(({ port }) => port === 'images.generate').map(({ provider, outcome }) => `${provider} ${outcome}`)

/** The places that a validation error names, in order. */
export const places = ({ detail }: ImageAnswer): string[] => (detail ?? []).map(({ loc }) => loc.join('.')).sort()
