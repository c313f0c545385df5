import { spawnSync } from 'node:child_process'
import { chmodSync, createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { furnish } from '../../gateway/furnish.js'
import { post, startGateway } from '../../gateway/start.js'

/** What a capability answered: its data, null for no-result, and its notes. */
export interface Answered {
  readonly data: Readonly<Record<string, unknown>> | null
  readonly notes: readonly string[]
  readonly detail: string
}

/** A gateway of this build, and a site from which it gets recordings. */
export interface SpeechWorld {
  readonly url: string
  /** Process of the gateway. */
  readonly pid: number
  readonly key: string
  /** Files in it are on the site. */
  readonly folder: string
  /** Address of a file of the folder. */
  address(name: string): string
  /** Calls a capability, again where the machine was too busy. Throws for any other answer than data or no-result. */
  call(path: string, params: Readonly<Record<string, unknown>>): Promise<Answered>
}

/** What making sounds needs of it. */
export type SoundWorld = Pick<SpeechWorld, 'folder' | 'call'>

/** Times that a call of a busy gateway is repeated. */
const TRIES = 60

/** A gateway in which one engine alone serves each capability of speech, unless `env` says otherwise; ended after the work. */
export async function withSpeech<T>(env: Readonly<Record<string, string>>, work: (world: SpeechWorld) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-speech-'))
  // Programs run as users of their own, who must be able to enter it.
  chmodSync(folder, 0o711)
  const site = await httpServer((request, response) => {
    const path = join(folder, basename(request.url ?? ''))
    response.writeHead(200, { 'content-length': statSync(path).size })
    createReadStream(path).pipe(response)
  })
  const only = ['SPEECH_TRANSCRIBE', 'AUDIO_TRANSCRIBE', 'SUBTITLES_GENERATE'].map((port) => [`CAPSTAN_WATERFALL_${port}`, 'whisper'])
  const settings = { ...(Object.fromEntries(only) as Record<string, string>), TMPDIR: folder, ...env }
  try {
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', env: settings })
    try {
      const [key = ''] = await furnish(gateway, 1)
      const { url, pid } = gateway
      const call: SpeechWorld['call'] = async (path, params) => await answered({ url: `${url}${path}`, key }, params)
      return await work({ url, pid, key, folder, call, address: (name) => `${site.url}/${name}` })
    } finally {
      await gateway.stop()
    }
  } finally {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function answered({ url, key }: { url: string; key: string }, params: Readonly<Record<string, unknown>>): Promise<Answered> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { status, json } = await post(url, key, params)
    const { data, error, metadata } = json as {
      readonly data: Answered['data']
      readonly error: { readonly type: string; readonly detail: string } | null
      readonly metadata?: { readonly notes?: readonly string[] }
    }
    const detail = error?.detail ?? ''
    if (status === 200 || error?.type.endsWith('/no-result') === true) return { data, notes: metadata?.notes ?? [], detail }
    if (status !== 503) throw new Error(`${url} answered ${String(status)}: ${JSON.stringify(json).slice(0, 500)}`)
    await pause(1_000)
  }
  throw new Error(`${url}: the machine is too busy`)
}

/** The transcript of a file of the folder by `speech.transcribe`; empty where it recognises no words. */
export async function transcript(world: SpeechWorld, name: string, language = 'en'): Promise<string> {
  const { data } = await world.call('/v1/speech/transcribe', { audio_url: world.address(name), language })
  return data === null ? '' : String(data['transcript'])
}

/** Writes a file of sound of any form as one channel of 16 bits at 16,000 a second, as FFmpeg makes it with these options; answers its name. */
export function made(folder: string, name: string, ...options: readonly string[]): string {
  ffmpeg(folder, [...options, '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', name])
  return name
}

/** Runs FFmpeg in a folder. Throws with what it says when it fails. */
export function ffmpeg(folder: string, args: readonly string[]): string {
  const { status, stderr, stdout } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Writes bytes into the folder; answers the name. */
export function written(folder: string, name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes)
  return name
}
