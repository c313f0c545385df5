import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { noCallFiles } from '../support/call-files.js'
import { needs, processesWith } from '../support/exec-sandbox.js'
import type { Reply } from '../support/gateway.js'
import { hostilePictures, svg } from '../support/hostile-media/pictures.js'
import { playlists } from '../support/hostile-media/playlists.js'
import { soundWav } from '../support/hostile-media/riff.js'
import { hostileSounds, plainSounds } from '../support/hostile-media/sounds.js'
import { refused, type HostileFile, type HostileFiles } from '../support/hostile-media/types.js'
import { HostileWorld } from '../support/hostile-media/world.js'
import { notMeasured } from '../support/needs.js'
import { atMost, until } from '../support/time.js'

interface Answer {
  readonly credits_used: number
  readonly data: object | null
  readonly error: { readonly type: string; readonly detail: string } | null
  readonly detail?: readonly { readonly loc: readonly string[] }[]
}

interface Use {
  readonly path: string
  readonly field: string
  readonly credits: number
  readonly params?: object
}

const SOUND: readonly Use[] = [
  { path: '/v1/speech/transcribe', field: 'audio_url', credits: 2 },
  { path: '/v1/audio/transcribe', field: 'audio_url', credits: 3 },
  { path: '/v1/subtitles/generate', field: 'audio_url', credits: 2 },
]
const PICTURE: readonly Use[] = [
  { path: '/v1/images/remove-background', field: 'image_url', credits: 2 },
  { path: '/v1/images/generate', field: 'reference_image_url', credits: 3, params: { prompt: 'A red kettle' } },
]
/** Some of the recordings as what a vendor of speech gives. */
const SPOKEN: Readonly<Record<string, 'failure' | 'sound'>> = {
  'an HLS playlist of a file and an address': 'failure',
  'a DASH manifest': 'failure',
  'a list of parts (ffconcat)': 'failure',
  'a session description (SDP)': 'failure',
  'an empty file': 'failure',
  'an MP3 cut in its tags': 'failure',
  'an MP3 whose cover is an address': 'sound',
  'an MP3 with a cover of 60,000 x 60,000': 'sound',
  'an MP3 with a page in front': 'failure',
  'a WAV of 65,535 channels': 'failure',
  'a WAV that says it has nothing': 'failure',
  'a WAV of 4,294,967,295 samples a second': 'failure',
  '8 MiB of what begins a frame of MP3': 'failure',
  'a program under the name of a recording': 'failure',
}
/** Calls at once. */
const AT_ONCE = 3
/** Milliseconds: the limit of time for one step in the sandbox is 20 s. */
const MOST_MS = 30_000
const GOOD_SOUND = { as: 'wav', bytes: soundWav() }
const GOOD_PICTURE = {
  as: 'svg',
  bytes: svg('<rect width="40" height="40" fill="#fff"/><rect x="10" y="10" width="16" height="16" fill="#c00"/>'),
}

describe('hostile media', function () {
  this.timeout(300_000)
  let world: HostileWorld
  let key: string
  let neighbour: string
  let balance: number
  let charged = 0
  let longest = { what: '', value: 0, limit: MOST_MS }

  before(async function () {
    needs(this, 'ffmpeg', 'ffprobe', 'bwrap')
    world = await HostileWorld.start()
    ;({ key } = await world.gateway.newKey())
    ;({ balance } = await world.gateway.money())
    ;({ key: neighbour } = await world.gateway.newAccount(1_000))
  })
  after(() => world?.close())

  /** Programs that have a file of this gateway: its path is in their command line. */
  const programs = async (): Promise<number[]> => await processesWith(world.folder)
  const sent = async ({ path, field, params = {} }: Use, url: string, by = key): Promise<Reply> =>
    await world.post(path, { ...params, [field]: url }, by)

  /** What is wrong with the answer to a file; null when it is as it has to be. */
  function faultOf(reply: Reply, { field, credits }: Use, { ends }: Pick<HostileFile, 'ends'>): string | null {
    const { credits_used, data, error, detail } = reply.json<Answer>()
    charged += credits_used
    const seen = `${String(reply.status)} ${String(credits_used)} ${error?.type.split('/').at(-1) ?? ''} ${error?.detail ?? ''}`
    if (world.shows(reply.text)) return `shows the secret: ${seen}`
    if (ends === 'read') return reply.status === 200 && credits_used === credits && data !== null ? null : seen
    const isAtField = detail?.length === 1 && detail[0]?.loc.join('.') === `body.${field}`
    const isClear = error?.type.endsWith('/validation-failed') === true ? isAtField : error?.type.endsWith('/no-result') === true
    return reply.status === 422 && credits_used === 0 && data === null && isClear ? null : seen
  }

  /** Sends each file to one of the capabilities that read such files, in turn; answers what was wrong, by file. */
  async function faultsOf(files: HostileFiles, uses: readonly Use[]): Promise<Record<string, string>> {
    const waiting = Object.entries(files).map(([name, file], at) => ({
      ...{ name, file },
      use: uses.find(({ path }) => path === file.path) ?? uses[at % uses.length],
    }))
    const faults: Record<string, string> = {}
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next?.use !== undefined; next = waiting.shift()) {
        const { name, file, use } = next
        const began = performance.now()
        const fault = faultOf(await sent(use, world.link(file)), use, file)
        const took = performance.now() - began
        if (fault !== null) faults[name] = `${use.path}: ${fault}`
        if (took > longest.value) longest = { what: `${use.path} for ${name}, ms`, value: took, limit: MOST_MS }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return faults
  }

  it('files of the same makers are read when nothing is odd', async () => {
    const [faults] = await Promise.all([faultsOf(plainSounds(), SOUND), until(async () => (await programs()).length > 0, 60_000)])
    expect(faults).to.deep.equal({})
  })

  it('T-43 T-54 playlists and texts that name files and addresses are no recordings: refused at their field, free', async () => {
    expect(await faultsOf(playlists(world.canaries), SOUND)).to.deep.equal({})
  })

  it('T-43 T-54 recordings that refer, lie, flood or are something else are refused for nothing, or read as any other', async () => {
    const files = hostileSounds(world.canaries, world.seeds)
    const [faults, reply] = await Promise.all([faultsOf(files, SOUND), sent(SOUND[0] as Use, world.link(GOOD_SOUND), neighbour)])
    expect(faults).to.deep.equal({})
    expect(reply.status, 'of a neighbour').to.equal(200)
  })

  it('T-42 T-43 sounds of a vendor that refer, lie or are something else fail the vendor for nothing, or are given as they came', async () => {
    const files = { ...playlists(world.canaries), ...hostileSounds(world.canaries, world.seeds) }
    for (const [name, gives] of Object.entries(SPOKEN)) {
      const file = files[name]
      if (file === undefined) throw new Error(`no file ${name}`)
      const reply = await world.spoken(file.bytes, key)
      const { credits_used, error } = reply.json<Answer>()
      charged += credits_used
      const outcome = [reply.status, credits_used, error?.type.split('/').at(-1) ?? null]
      expect(outcome, name).to.deep.equal(gives === 'sound' ? [200, 2, null] : [502, 0, 'providers-failed'])
      expect(world.shows(reply.text), name).to.equal(false)
    }
  })

  it('T-40 pictures that refer, lie, flood or are something else are refused for nothing, or read as any other', async () => {
    const files = await hostilePictures(world.canaries)
    const [faults, reply] = await Promise.all([faultsOf(files, PICTURE), sent(PICTURE[0] as Use, world.link(GOOD_PICTURE), neighbour)])
    expect(faults).to.deep.equal({})
    expect(reply.status, 'of a neighbour').to.equal(200)
  })

  it('T-43 T-40 what never ends is refused at the limit of a call', async () => {
    for (const use of [...SOUND, ...PICTURE]) {
      const fault = faultOf(await sent(use, world.endless), use, refused('wav', ''))
      expect(fault, use.path).to.equal(null)
    }
  })

  it('T-43 T-40 afterwards nobody was reached, no file read, nothing left, and all is served as before', async () => {
    expect(world.reached, 'connections to what nobody may reach').to.equal(0)
    expect(world.wasRead, 'the file beside the gateway').to.equal(false)
    await noCallFiles(world.folder)
    await until(async () => (await programs()).length === 0)
    expect([await world.metric('capstan_calls_in_flight'), await world.metric('capstan_providers_suspended')]).to.deep.equal([0, 0])
    const calls = [...SOUND.map((use) => ({ use, file: GOOD_SOUND })), ...PICTURE.map((use) => ({ use, file: GOOD_PICTURE }))]
    const replies = await Promise.all(calls.map(({ use, file }) => sent(use, world.link(file))))
    for (const [at, reply] of replies.entries()) {
      expect(reply.status, `${calls[at]?.use.path ?? ''}: ${reply.text}`).to.equal(200)
      charged += reply.json<Answer>().credits_used
    }
    expect(await world.gateway.money()).to.deep.equal({ balance: balance - charged, held: 0, available: balance - charged })
  })
  it('T-43 T-40 no file takes longer than the steps in the sandbox may', async function () {
    await atMost(this, longest)
  })

  it('who connects to what nobody may reach, or reads the file beside the gateway, is noticed', async function () {
    if (!world.notesReads) notMeasured(this, 'the file system of the folder for temporary files does not note when a file was read')
    const { url, file } = world.canaries
    expect(world.shows(await (await fetch(url)).text()), 'what the server answers').to.equal(true)
    expect(world.shows(readFileSync(file, 'utf8')), 'what is in the file').to.equal(true)
    expect([world.reached, world.wasRead]).to.deep.equal([1, true])
  })
})
