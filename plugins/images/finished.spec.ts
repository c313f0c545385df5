import { expect } from 'chai'
import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import type { ImageInput } from './contract.js'
import { finished } from './finished.js'

const SOURCE = { id: '1'.repeat(32), size: 9 }
const MADE = { id: '2'.repeat(32), size: 9 }
const input: ImageInput = { prompt: 'x', aspect_ratio: '16:9', image_size: '512px', reference: null }
const SEEN = { width: 1536, height: 1024, format: 'png', entropy: 7 }

interface Outcome {
  readonly asked: { readonly port: string; readonly input: Readonly<Record<string, unknown>> }[]
  readonly notes: string[]
  readonly removed: unknown[]
  result?: unknown
  fault?: Fault
}

type Answers = Readonly<Record<string, object>>

/** Finishes a picture with these answers of the picture ports. */
async function run(answers: Answers, about: Partial<ImageInput> = {}): Promise<Outcome> {
  const outcome: Outcome = { asked: [], notes: [], removed: [] }
  const context = {
    call: (port: { id: string }, given: { steps?: readonly object[] }) => {
      outcome.asked.push({ port: port.id, input: { ...given } })
      const answer = answers[port.id]
      if (answer instanceof Error) return Promise.reject(answer)
      const size = given.steps?.[0] ?? SEEN
      return Promise.resolve(answer ?? { file: MADE, content_type: 'image/png', ...size })
    },
    note: (remark: string) => void outcome.notes.push(remark),
    scratch: { remove: (file: unknown) => Promise.resolve(void outcome.removed.push(file)) },
  } as unknown as ProviderContext
  try {
    outcome.result = await finished(SOURCE, { input: { ...input, ...about }, vendor: 'one' }, context)
  } catch (error) {
    if (!Fault.is(error)) throw error
    outcome.fault = error
  }
  return outcome
}

describe("images: a vendor's picture becomes the answer", () => {
  it('one of another ratio is cropped in the middle and scaled in one step, and a remark says so', async () => {
    const { asked, notes, result, removed } = await run({ 'picture.look': SEEN })
    expect(asked.at(-1)).to.deep.equal({
      port: 'picture.make',
      input: {
        file: SOURCE,
        format: 'png',
        quality: null,
        steps: [{ op: 'resize', width: 512, height: 288, fit: 'cover', enlarge: true }],
      },
    })
    expect(notes).to.deep.equal(['one made 1536 x 1024 pixels; the picture was cropped and scaled down to 512 x 288.'])
    expect(result).to.deep.equal({ file: MADE, content_type: 'image/png' })
    expect(removed, "the vendor's file makes room").to.deep.equal([SOURCE])
  })

  it('one of the size asked for is encoded anew all the same, without a remark', async () => {
    const { asked, notes } = await run({
      'picture.look': { ...SEEN, width: 512, height: 288 },
      'picture.make': { file: MADE, content_type: 'image/png', width: 512, height: 288 },
    })
    expect(asked.at(-1)?.input).to.deep.include({ file: SOURCE, steps: [] })
    expect(notes).to.deep.equal([])
  })

  for (const [width, height, words] of [
    [256, 144, 'scaled up'],
    [1024, 576, 'scaled down'],
    [512, 296, 'cropped'],
    [256, 256, 'cropped and scaled up'],
  ] as const)
    it(`the remark names what was done to ${String(width)} x ${String(height)}: ${words}`, async () => {
      const { notes } = await run({ 'picture.look': { ...SEEN, width, height } })
      expect(notes).to.deep.equal([`one made ${String(width)} x ${String(height)} pixels; the picture was ${words} to 512 x 288.`])
    })

  it('a picture of one colour is a refusal of this vendor: invalid with a status, so that the next one is asked', async () => {
    const { fault, asked, notes } = await run({
      'picture.look': { ...SEEN, entropy: 0.4 },
      'picture.blank': { pages: 1, blank: [1], text: null },
    })
    expect(fault).to.include({ kind: 'invalid', status: 200 })
    expect(asked.map(({ port }) => port)).to.deep.equal(['picture.look', 'picture.blank'])
    expect(notes).to.deep.equal([])
  })

  it('a picture of few tones is looked at pixel by pixel; one of many is not, since it cannot be of one colour', async () => {
    const few = await run({ 'picture.look': { ...SEEN, entropy: 2 }, 'picture.blank': { pages: 1, blank: [], text: null } })
    expect(few.asked.map(({ port }) => port)).to.deep.equal(['picture.look', 'picture.blank', 'picture.make'])
    const many = await run({ 'picture.look': { ...SEEN, entropy: 2.01 } })
    expect(many.asked.map(({ port }) => port)).to.deep.equal(['picture.look', 'picture.make'])
  })

  it('a file that the picture ports refuse is a broken vendor, not a mistake of the caller', async () => {
    const refused = new Fault('invalid', 'The file is no JPEG, PNG, WebP, GIF, TIFF, AVIF or SVG picture.', { loc: ['file'] })
    const answers: Answers[] = [
      { 'picture.look': refused },
      { 'picture.look': { ...SEEN, entropy: 0 }, 'picture.blank': refused },
      { 'picture.look': SEEN, 'picture.make': refused },
    ]
    for (const each of answers) {
      const { fault } = await run(each)
      expect([fault?.kind, fault?.loc]).to.deep.equal(['broken', undefined])
    }
    expect((await run({ 'picture.look': new Fault('busy', 'no place') })).fault?.kind, 'others stay as they are').to.equal('busy')
  })

  it('a picture that does not get the size is no answer', async () => {
    const small = { file: MADE, content_type: 'image/png', width: 511, height: 288 }
    expect((await run({ 'picture.look': SEEN, 'picture.make': small })).fault?.kind).to.equal('broken')
  })

  for (const [format, image_size, expected] of [
    ['png', '2K', 'png'],
    ['webp', '512px', 'png'],
    ['svg', '512px', 'png'],
    ['jpeg', '512px', 'jpeg'],
    ['png', '4K', 'jpeg'],
  ] as const)
    it(`${format} at ${image_size} is given as ${expected}`, async () => {
      const { asked } = await run({ 'picture.look': { ...SEEN, format } }, { aspect_ratio: '1:1', image_size })
      expect(asked.at(-1)?.input).to.include({ format: expected, quality: expected === 'jpeg' ? 95 : null })
    })
})
