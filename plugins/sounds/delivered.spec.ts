import { expect } from 'chai'
import type { Port, ProviderContext, ScratchFile } from '../../core/sdk/index.js'
import type { SoundInput } from './contract.js'
import { delivered } from './delivered.js'

const input: SoundInput = { prompt: 'a glass', seconds: 5, prompt_influence: 0.3, output_format: 'mp3_44100_128', loop: false }
const file: ScratchFile = { id: '1', size: 10 }
const made: ScratchFile = { id: '2', size: 20 }

interface Vendor {
  readonly codec?: string
  readonly container?: string
  /** Seconds of its file, and of the converted one. */
  readonly seconds?: number
  readonly converted?: number
  readonly extension?: string
  readonly ports?: readonly string[]
}

/** Converts a vendor's file with simulated media ports; returns the outcome. */
async function run(
  more: Partial<SoundInput>,
  { codec = 'mp3', container = 'mp3', seconds = 5, converted = 5, extension = 'mp3', ports = ['media.probe', 'media.convert'] }: Vendor,
) {
  const [notes, removed, asked]: [string[], string[], unknown[]] = [[], [], []]
  const stream = { kind: 'audio', codec, sample_rate: 44_100, channels: 2 }
  const context = {
    has: ({ id }: Port) => ports.includes(id),
    call: ({ id }: Port, given: unknown) => {
      if (id === 'media.probe') return Promise.resolve({ container, duration: seconds, streams: [stream] })
      asked.push(given)
      return Promise.resolve({ file: made, content_type: 'audio/wav', duration: converted })
    },
    note: (text: string) => notes.push(text),
    scratch: {
      kind: () => Promise.resolve({ contentType: 'audio/x', extension }),
      remove: ({ id }: ScratchFile) => Promise.resolve(void removed.push(id)),
    },
  } as unknown as ProviderContext
  return { output: await delivered(context, file, { ...input, ...more }, 'Acme'), notes, removed, asked }
}

describe('a sound of a vendor', () => {
  it('is given as it is in the form that was asked for', async () => {
    expect(await run({}, { seconds: 5.06 })).to.deep.equal({ output: { file, seconds: 5.06 }, notes: [], removed: [], asked: [] })
  })

  it('is cut where it is longer, without a note', async () => {
    const { output, notes, removed, asked } = await run({}, { seconds: 9 })
    expect({ output, notes, removed }).to.deep.equal({ output: { file: made, seconds: 5 }, notes: [], removed: ['1'] })
    expect(asked).to.deep.equal([{ file, to: 'mp3', duration: 5, sample_rate: 44_100, channels: 2 }])
  })

  it('is named in the notes where it is shorter', async () => {
    expect((await run({}, { seconds: 3.24 })).notes).to.deep.equal(['Acme made 3.2 s of the 5 s that were asked for.'])
  })

  it('is named in the notes where it was decoded from a lossy form, and only there', async () => {
    expect((await run({ output_format: 'wav_44100' }, {})).notes).to.deep.equal(['The sound was decoded from mp3 of Acme.'])
    expect((await run({ output_format: 'wav_44100' }, { codec: 'pcm_s24le', container: 'wav' })).notes).to.deep.equal([])
  })

  it('is given without ffmpeg where its first bytes show the form', async () => {
    expect((await run({}, { ports: [] })).output).to.deep.equal({ file, seconds: null })
    expect((await run({ output_format: 'ogg_48000' }, { ports: [], extension: 'opus' })).output).to.deep.equal({ file, seconds: null })
  })

  it('is a failure of the vendor without ffmpeg in another form', async () => {
    for (const ports of [[], ['media.probe']]) {
      const fault = await run({ output_format: 'wav_44100' }, { ports }).catch((error: unknown) => error)
      expect(fault).to.include({ kind: 'broken' })
    }
  })

  it('is a failure of the vendor when nothing is to be heard of it', async () => {
    const fault = await run({}, { seconds: 0.01 }).catch((error: unknown) => error)
    expect(fault).to.include({ kind: 'broken', message: 'Acme gave a file without sound.' })
  })
})
