import { expect } from 'chai'
import { Fault, runProvider, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { voice } from './providers/voice.js'
import { readWav } from './sound/wav.js'

const RATE = 8_000
const input = {
  language: 'en',
  voice_model: null,
  voice_id: null,
  stability: 0.5,
  similarity_boost: 0.75,
  local_languages: ['en'],
  named: false,
}

const pack = { id: 'voice', about: { model: 'en_US-joe-medium.onnx' }, folder: '/pack', path: (name: string) => `/pack/${name}` }

interface Outcome {
  readonly asked: unknown[]
  readonly output: unknown
  readonly fault: Fault | null
  readonly seconds: number
}

interface Given {
  /** Milliseconds for each piece, counted from 1. */
  readonly msOf?: (piece: number) => number
  readonly result?: unknown
  readonly more?: object
}

/** Runs the provider with an engine, in a call of sixty seconds. */
async function run(text: string, { msOf = () => 100, result = { sample_rate: RATE }, more = {} }: Given = {}): Promise<Outcome> {
  const asked: unknown[] = []
  const files = new Map<string, Uint8Array>()
  let left = 60_000
  const engine = {
    packs: () => Promise.resolve([pack]),
    ask: (_context: unknown, question: { input: unknown }) => {
      asked.push(question.input)
      left -= msOf(asked.length)
      const samples = Int16Array.from({ length: RATE }, (_, at) => (at % 20 < 10 ? 9_000 : -9_000))
      return Promise.resolve({ result, bytes: new Uint8Array(samples.buffer) })
    },
  }
  const context = {
    use: () => Promise.resolve(engine),
    timeLeft: () => left,
    progress: () => undefined,
    has: () => false,
    scratch: {
      write: (bytes: Uint8Array): Promise<ScratchFile> => {
        files.set('made', bytes)
        return Promise.resolve({ id: '1'.repeat(32), size: bytes.length })
      },
      bytes: () => Promise.resolve(files.get('made') ?? new Uint8Array()),
    },
  } as unknown as ProviderContext
  const end = { asked, output: null, fault: null, seconds: 0 }
  try {
    const output = await runProvider(voice, { ...input, text, ...more }, context)
    const wav = readWav(files.get('made') ?? new Uint8Array())
    return { ...end, output, seconds: wav === null ? 0 : wav.samples.length / wav.rate }
  } catch (error) {
    if (!Fault.is(error)) throw error
    return { ...end, fault: error }
  }
}

describe('the neural voice', () => {
  it('is asked for one sentence after the other, in words, and the sounds are joined', async () => {
    const { asked, output, seconds } = await run('It costs $5. Come at 9:30.\nThe end.')
    const path = '/pack/en_US-joe-medium.onnx'
    expect(asked).to.deep.equal([
      { text: 'It costs five dollars.', voice: path },
      { text: 'Come at nine thirty.', voice: path },
      { text: 'The end.', voice: path },
    ])
    expect(output).to.deep.include({ format: 'wav', sample_rate: RATE, voice_model: 'en_US-joe-medium' })
    expect(seconds).to.equal(1 + 0.25 + 1 + 0.5 + 1)
  })

  it('leaves a text to the next engine as soon as its speed shows that it will not be done, though not for a slow start', async () => {
    const long = 'A sentence of a text. '.repeat(40)
    const slow = await run(long, { msOf: () => 3_000 })
    expect([slow.fault?.kind, slow.fault?.inconclusive, slow.asked.length]).to.deep.equal(['missing', true, 2])
    const cold = await run(long, { msOf: (piece) => (piece === 1 ? 20_000 : 500) })
    expect([cold.fault, cold.asked.length]).to.deep.equal([null, 40])
  })

  it('has nothing where no pack has the voice', async () => {
    const { output, fault, asked } = await run('Hello.', { more: { voice_id: 'en_US-lessac-medium' } })
    expect([output, fault, asked]).to.deep.equal([null, null, []])
  })

  it('is broken when it answers in another form', async () => {
    expect((await run('Hello.', { result: { rate: 'x' } })).fault?.kind).to.equal('broken')
  })
})
