import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { needs } from './exec-sandbox.js'
import { startGateway, type TestGateway } from './gateway.js'

/** A request to a vendor. */
export interface VendorRequest {
  readonly url: URL
  readonly body: Buffer
}

/** What a vendor answers: a status and JSON. */
export type VendorAnswer = (request: VendorRequest) => { readonly status?: number; readonly json: unknown }

export interface TranscriptionAnswer {
  readonly data: Record<string, unknown> | null
  readonly error: { readonly type: string; readonly detail: string } | null
  readonly credits_used: number
  readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string }[]
  readonly metadata: {
    readonly notes?: readonly string[]
    readonly provider_used: string | null
    readonly providers_tried: readonly string[]
  }
}

/** A gateway, a site with recordings that FFmpeg made, and two vendors that answer as a test says. */
export class TranscriptionStage {
  readonly asked: { deepgram: VendorRequest[]; openai: VendorRequest[] } = { deepgram: [], openai: [] }
  deepgram: VendorAnswer = () => deepgramReply([])
  openai: VendorAnswer = () => ({ status: 500, json: {} })
  readonly #folder: string
  readonly #running: Running[] = []
  #gateway: TestGateway | null = null
  site = ''

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Skips the suite where a program is missing. `env` comes on top of that of the gateway. */
  static async open(context: Context, env: Record<string, string> = {}): Promise<TranscriptionStage> {
    needs(context, 'ffmpeg', 'ffprobe', 'bwrap')
    const stage = new TranscriptionStage(await mkdtemp(join(tmpdir(), 'capstan-transcription-')))
    const site = await stage.#serve((request, response) => {
      response.end(readFileSync(join(stage.#folder, (request.url ?? '').slice(1))))
    })
    const vendor = (name: 'deepgram' | 'openai') =>
      stage.#serve(
        (request, response) => void stage.#answer(name, request, response).catch((error: unknown) => response.destroy(error as Error)),
      )
    const [deepgram, openai] = [await vendor('deepgram'), await vendor('openai')]
    stage.site = site.url
    stage.#gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        // Engines of the machine would answer where these vendors fail.
        CAPSTAN_WATERFALL_SPEECH_TRANSCRIBE: 'deepgram,openai-compatible',
        CAPSTAN_WATERFALL_AUDIO_TRANSCRIBE: 'deepgram',
        CAPSTAN_WATERFALL_SUBTITLES_GENERATE: 'deepgram,openai-compatible',
        DEEPGRAM_API_KEY: 'k',
        CAPSTAN_VENDOR_DEEPGRAM_URL: deepgram.url,
        OPENAI_API_KEY: 'k',
        CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: openai.url,
        ...env,
      },
    })
    return stage
  }

  async close(): Promise<void> {
    await this.#gateway?.close()
    await Promise.all(this.#running.map((each) => each.close()))
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Makes a recording with FFmpeg; answers its address. */
  made(name: string, ...args: readonly string[]): string {
    const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args, name], { cwd: this.#folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`ffmpeg: ${stderr}`)
    return `${this.site}/${name}`
  }

  /** Serves these bytes as a recording; answers its address. */
  serve(name: string, bytes: Uint8Array): string {
    writeFileSync(join(this.#folder, name), bytes)
    return `${this.site}/${name}`
  }

  bytes(name: string): Buffer {
    return readFileSync(join(this.#folder, name))
  }

  async post(path: string, params: Record<string, unknown>): Promise<{ readonly status: number; readonly body: TranscriptionAnswer }> {
    this.asked.deepgram.length = 0
    this.asked.openai.length = 0
    const reply = await (this.#gateway as TestGateway).post(path, params)
    return { status: reply.status, body: reply.json<TranscriptionAnswer>() }
  }

  async #answer(name: 'deepgram' | 'openai', request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const received = { url: new URL(request.url ?? '/', 'http://vendor'), body: Buffer.concat(chunks) }
    this.asked[name].push(received)
    const { status = 200, json } = this[name](received)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }

  async #serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Running> {
    const server = await httpServer(listener)
    this.#running.push(server)
    return server
  }
}

/** A reply of Deepgram with these words. Speakers are left out where they are null. */
export function deepgramReply(words: readonly (readonly [text: string, start: number, end: number, speaker: number | null])[]): {
  readonly json: unknown
} {
  const items = words.map(([text, start, end, speaker]) => ({
    ...{ word: text.toLowerCase().replace(/\W+$/, ''), punctuated_word: text, start, end, confidence: 0.9 },
    ...(speaker === null ? {} : { speaker }),
  }))
  return { json: { results: { channels: [{ alternatives: [{ transcript: words.map(([text]) => text).join(' '), words: items }] }] } } }
}

/** Options of FFmpeg for a voice, which its own synthesis speaks. */
export const speaking = (text: string): string[] => ['-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`]
