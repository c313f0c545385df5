import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpServer, tcpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { startGateway, type Reply, type TestGateway } from '../gateway.js'
import { drawn, png } from '../image-world.js'
import { logInto, type LogLine } from '../log-lines.js'
import { TemporaryFolder } from '../store.js'
import { deepgramReply } from '../transcription.js'
import { soundWav } from './riff.js'
import type { Seeds } from './sounds.js'
import type { Canaries, HostileFile } from './types.js'

const SECRET = 'the-secret-of-the-machine'
const LONG_AGO = new Date('2001-01-01')
/** Bytes of all files of one call here. */
const SCRATCH = 64 * 1024 * 1024
const PIECE = Buffer.alloc(256 * 1024)

/** Formats of plain files that other files are made of. */
const MADE = ['mp3', 'aac', 'flac', 'ogg', 'mp4', 'webm', 'asf', 'w64', 'caf', 'tta', 'au'] as const

interface Parts {
  readonly canaries: Canaries
  readonly seeds: Seeds
  readonly gateway: TestGateway
  /** What vendors got. */
  readonly sent: readonly Buffer[]
  readonly log: readonly LogLine[]
  readonly site: Running
  readonly canary: Running
  readonly temporary: TemporaryFolder
  readonly files: Map<string, Uint8Array>
  /** What the vendor of speech answers. */
  readonly speech: { bytes: Uint8Array }
  readonly close: () => Promise<void>
}

/** A gateway with a scripted vendor for each kind of work, a server of files, and what nobody may reach. */
export class HostileWorld {
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Needs ffmpeg and bubblewrap. Until it is closed, temporary files lie in a folder of its own. */
  static async start(): Promise<HostileWorld> {
    const usual = tmpdir()
    const temporary = new TemporaryFolder()
    // Programs run as users of their own, who must be able to enter it.
    chmodSync(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    const [shown, made] = [join(temporary.path, 'shown'), join(temporary.path, 'made')]
    for (const folder of [shown, made]) mkdirSync(folder)
    const file = join(shown, 'secret.txt')
    writeFileSync(file, SECRET)
    utimesSync(file, LONG_AGO, new Date())
    const canary = await tcpServer((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${String(SECRET.length)}\r\n\r\n${SECRET}`))
    const files = new Map<string, Uint8Array>()
    const site = await httpServer((request, response) => {
      const bytes = files.get(request.url ?? '')
      if (bytes !== undefined) return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
      if (request.url !== '/endless.wav') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'audio/wav' })
      response.write(soundWav({ size: 0xffffffff, dataSize: 0xffffffff }))
      const more = (): void => {
        while (!response.destroyed && response.write(PIECE));
      }
      response.on('drain', more)
      more()
    })
    const square = await png(512, 512)
    const [sent, log]: [Buffer[], LogLine[]] = [[], []]
    const speech = { bytes: new Uint8Array() }
    const vendors = await httpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        sent.push(Buffer.concat(chunks))
        if (request.url?.startsWith('/gemini') === true) return void drawn(square)(request, response)
        if (request.url?.startsWith('/elevenlabs') === true)
          return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(speech.bytes)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(deepgramReply([['Hello.', 0, 0.2, 0]]).json))
      })
    })
    const gateway = await startGateway({
      bundled: true,
      env: {
        // What is referred to could be reached if anything followed it.
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        CAPSTAN_LIMIT_SCRATCH: String(SCRATCH),
        CAPSTAN_WATERFALL_SPEECH_TRANSCRIBE: 'deepgram',
        CAPSTAN_WATERFALL_AUDIO_TRANSCRIBE: 'deepgram',
        CAPSTAN_WATERFALL_SUBTITLES_GENERATE: 'deepgram',
        CAPSTAN_WATERFALL_IMAGES_GENERATE: 'gemini',
        CAPSTAN_WATERFALL_IMAGES_REMOVE_BACKGROUND: 'flat',
        DEEPGRAM_API_KEY: 'k',
        CAPSTAN_VENDOR_DEEPGRAM_URL: vendors.url,
        CAPSTAN_WATERFALL_SPEECH_SYNTHESIZE: 'elevenlabs',
        ELEVENLABS_API_KEY: 'k',
        CAPSTAN_VENDOR_ELEVENLABS_URL: `${vendors.url}/elevenlabs`,
        GEMINI_API_KEY: 'k',
        CAPSTAN_VENDOR_GEMINI_URL: `${vendors.url}/gemini`,
      },
      overrides: { log: logInto(log) },
    })
    const close = async (): Promise<void> => {
      await gateway.close()
      await Promise.all([site.close(), canary.close(), vendors.close()])
      process.env['TMPDIR'] = usual
      temporary.remove()
    }
    const canaries = { url: canary.url, file }
    return new HostileWorld({ canaries, seeds: seedsIn(made), gateway, sent, log, site, canary, temporary, files, speech, close })
  }

  get gateway(): TestGateway {
    return this.#parts.gateway
  }

  get canaries(): Canaries {
    return this.#parts.canaries
  }

  get seeds(): Seeds {
    return this.#parts.seeds
  }

  /** The folder for temporary files. */
  get folder(): string {
    return this.#parts.temporary.path
  }

  /** Connections to what nobody may reach. */
  get reached(): number {
    return this.#parts.canary.connections()
  }

  /** Whether the file that nobody may read was read, as its file system notes it. */
  get wasRead(): boolean {
    return statSync(this.canaries.file).atime > LONG_AGO
  }

  /** Whether this file system notes that a file was read at all. */
  get notesReads(): boolean {
    const control = join(this.folder, 'shown', 'control.txt')
    writeFileSync(control, 'x')
    utimesSync(control, LONG_AGO, new Date())
    readFileSync(control)
    return statSync(control).atime > LONG_AGO
  }

  /** Whether the content of the file that nobody may read is in a text, the log or what vendors got. */
  shows(text: string): boolean {
    const { log, sent } = this.#parts
    return text.includes(SECRET) || JSON.stringify(log).includes(SECRET) || sent.some((bytes) => bytes.includes(SECRET))
  }

  /** The address of a file; served from now on. */
  link({ bytes, as }: Pick<HostileFile, 'bytes' | 'as'>): string {
    const { files, site } = this.#parts
    const path = `/${String(files.size)}.${as}`
    files.set(path, bytes)
    return site.url + path
  }

  /** What is answered to a call of speech.synthesize when its vendor gives these bytes. The vendor is not suspended for it. */
  async spoken(bytes: Uint8Array, key: string): Promise<Reply> {
    this.#parts.speech.bytes = bytes
    const reply = await this.post('/v1/speech/synthesize', { text: 'Good day.' }, key)
    await this.gateway.admin('POST', '/admin/v1/providers/speech.synthesize/elevenlabs/resume')
    return reply
  }

  /** The address of a recording without an end. */
  get endless(): string {
    return `${this.#parts.site.url}/endless.wav`
  }

  async post(path: string, body: object, key: string): Promise<Reply> {
    return await this.gateway.send(path, { method: 'POST', body, key })
  }

  /** The value of a metric without labels. */
  async metric(name: string): Promise<number> {
    const { text } = await this.gateway.app.services.telemetry.metrics()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  close(): Promise<void> {
    return this.#parts.close()
  }
}

/** A tone of a second in many formats, and a film without sound, made by one run of FFmpeg. */
function seedsIn(folder: string): Seeds {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:sample_rate=16000', '-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5']
  const sounds = MADE.flatMap((format) => ['-map', '0:a', '-t', '1', `seed.${format}`])
  const mute = ['-map', '1:v', '-t', '1', 'seed.mute.mp4']
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...tone, ...sounds, ...mute], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`)
  const of = (name: string): Buffer => readFileSync(join(folder, `seed.${name}`))
  return {
    ...{ mp3: of('mp3'), aac: of('aac'), flac: of('flac'), ogg: of('ogg'), mp4: of('mp4'), webm: of('webm') },
    ...{ asf: of('asf'), w64: of('w64'), caf: of('caf'), tta: of('tta'), au: of('au'), mute: of('mute.mp4') },
  }
}
