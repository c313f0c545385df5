import { expect } from 'chai'
import {
  isRecord,
  runProvider,
  type Call,
  type ProviderContext,
  type ProviderContribution,
  type ScratchFile,
} from '../../core/sdk/index.js'
import { ASPECT_RATIOS, IMAGE_SIZES, type ImageInput } from './contract.js'
import { automatic1111 } from './providers/automatic1111.js'
import { fal } from './providers/fal.js'
import { gemini } from './providers/gemini.js'
import { openaiCompatible } from './providers/openai-compatible.js'
import { pollinations } from './providers/pollinations.js'
import { replicate } from './providers/replicate.js'
import { stability } from './providers/stability.js'
import { pixelsOf, quotientOf, type Size } from './sizes.js'

interface Stage {
  readonly name: string
  readonly contribution: ProviderContribution
  readonly settings: Readonly<Record<string, unknown>>
  readonly replies: readonly unknown[]
  /** The pixels the vendor returns for a request, by its documentation. Throws for a request it would refuse. */
  readonly made: (call: Call) => Size
  /** Minimum share of a picture that remains after cropping to any ratio. */
  readonly keeps: number
}

const FILE: ScratchFile = { id: '2'.repeat(32), size: 9 }
const LINK = 'https://files.example/a.png'

/** A picture of so many pixels in a ratio, with sides that are multiples of 16. */
function ofArea(side: number, ratio: string): Size {
  const quotient = quotientOf(ratio)
  const rounded = (pixels: number): number => Math.round(pixels / 16) * 16
  return { width: rounded(side * Math.sqrt(quotient)), height: rounded(side / Math.sqrt(quotient)) }
}

const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value)
const word = (value: unknown, ...path: readonly string[]): string => String(field(value, ...path))

function oneOfThese(value: string, offered: readonly string[]): string {
  if (!offered.includes(value)) throw new RangeError(`${value} is none of ${offered.join(', ')}`)
  return value
}

/** Sides that are multiples of a step within a bound. */
function free(width: unknown, height: unknown, { step, longest }: { readonly step: number; readonly longest: number }): Size {
  const sides = [Number(width), Number(height)] as const
  for (const side of sides)
    if (!Number.isInteger(side) || side < step || side % step !== 0 || side > longest) throw new RangeError(`${String(side)} is no side`)
  return { width: sides[0], height: sides[1] }
}

const sized = (call: Call): readonly string[] => word(call.json, 'size').split('x')
const GEMINI = { candidates: [{ content: { parts: [{ inlineData: { data: 'AAAA' } }] } }] }
const GEMINI_SIDES: Readonly<Record<string, number>> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 }
const geminiStage = (model: string, sizes: readonly string[]): Stage => ({
  name: `gemini (${model})`,
  contribution: gemini,
  settings: { gemini_model: model },
  replies: [GEMINI],
  made: ({ json }) => {
    const config = field(json, 'generationConfig', 'imageConfig')
    const size = sizes.length === 0 ? '1K' : oneOfThese(word(config, 'imageSize'), sizes)
    if (sizes.length === 0 && field(config, 'imageSize') !== undefined) throw new RangeError('it takes no size')
    return ofArea(GEMINI_SIDES[size] ?? 0, oneOfThese(word(config, 'aspectRatio'), ASPECT_RATIOS))
  },
  keeps: 0.96,
})
const openaiStage = (model: string, keeps: number, made: (call: Call) => Size): Stage => ({
  name: `openai-compatible (${model})`,
  contribution: openaiCompatible,
  settings: { openai_compatible_model: model, openai_compatible_side: 1024, openai_compatible_edits: 'auto' },
  replies: [{ data: [{ b64_json: 'AAAA' }] }],
  made,
  keeps,
})
const ofList =
  (...offered: readonly string[]) =>
  (call: Call): Size => {
    const [width, height] = oneOfThese(sized(call).join('x'), offered).split('x').map(Number)
    return { width: width ?? 0, height: height ?? 0 }
  }

const STAGES: readonly Stage[] = [
  geminiStage('gemini-3.1-flash-image-preview', ['512', '1K', '2K', '4K']),
  geminiStage('gemini-3-pro-image-preview', ['1K', '2K', '4K']),
  geminiStage('gemini-2.5-flash-image', []),
  openaiStage('gpt-image-1', 0.64, ofList('1024x1024', '1536x1024', '1024x1536')),
  openaiStage('gpt-image-1-mini', 0.64, ofList('1024x1024', '1536x1024', '1024x1536')),
  openaiStage('gpt-image-1.5', 0.64, ofList('1024x1024', '1536x1024', '1024x1536')),
  openaiStage('gpt-image-2', 0.95, (call) => {
    const size = free(...(sized(call) as [string, string]), { step: 16, longest: 3840 })
    if (Math.min(size.width, size.height) > 2160) throw new RangeError('more than 3840 by 2160')
    return size
  }),
  openaiStage('dall-e-3', 0.74, ofList('1024x1024', '1792x1024', '1024x1792')),
  openaiStage('dall-e-2', 0.42, ofList('256x256', '512x512', '1024x1024')),
  openaiStage('sdxl', 0.95, (call) => free(...(sized(call) as [string, string]), { step: 8, longest: 1024 })),
  {
    name: 'stability',
    contribution: stability,
    settings: { stability_service: 'core', stability_strength: 0.7 },
    replies: [{ image: 'AAAA', finish_reason: 'SUCCESS' }],
    made: ({ multipart = [] }) => {
      const ratio = word({ ...multipart.find(({ name }) => name === 'aspect_ratio') }, 'data')
      return ofArea(1536, oneOfThese(ratio, ['1:1', '16:9', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']))
    },
    keeps: 0.92,
  },
  {
    name: 'fal',
    contribution: fal,
    settings: { fal_model: 'fal-ai/flux/schnell', fal_reference_model: null },
    replies: [
      { status: 'COMPLETED', status_url: `${LINK}/s`, response_url: LINK, cancel_url: `${LINK}/c` },
      { images: [{ url: LINK }], has_nsfw_concepts: [false] },
    ],
    made: ({ json }) => free(field(json, 'image_size', 'width'), field(json, 'image_size', 'height'), { step: 8, longest: 1536 }),
    keeps: 0.95,
  },
  {
    name: 'replicate',
    contribution: replicate,
    settings: { replicate_model: 'black-forest-labs/flux-schnell', replicate_reference_field: null },
    replies: [{ id: 'p1', status: 'succeeded', output: [LINK] }],
    made: ({ json }) => ofArea(1024, oneOfThese(word(json, 'input', 'aspect_ratio'), [...ASPECT_RATIOS, '9:21'])),
    keeps: 0.96,
  },
  {
    name: 'automatic1111',
    contribution: automatic1111,
    settings: { automatic1111_side: 1024, automatic1111_steps: 25, automatic1111_checkpoint: null, automatic1111_negative_prompt: '' },
    replies: [{ images: ['AAAA'] }],
    made: ({ json }) => free(field(json, 'width'), field(json, 'height'), { step: 8, longest: 1024 }),
    keeps: 0.95,
  },
  {
    name: 'pollinations',
    contribution: pollinations,
    settings: { pollinations_model: 'flux' },
    replies: [],
    made: ({ query = {} }) => free(query['width'], query['height'], { step: 8, longest: 1024 }),
    keeps: 0.95,
  },
]

interface Outcome {
  readonly call: Call
  readonly source: Size
  readonly given: Size
  readonly notes: readonly string[]
}

/** Runs a provider against a simulated vendor with documented sizes, and pictures with computed steps. */
async function run({ contribution, settings, replies, made }: Stage, input: ImageInput): Promise<Outcome> {
  const calls: Call[] = []
  const notes: string[] = []
  const left = [...replies]
  const sent = <T>(call: Call, reply: T): Promise<T> => {
    calls.push(call)
    return Promise.resolve(reply)
  }
  let given: Size = { width: 0, height: 0 }
  const source = (): Size => made(calls[0] ?? { path: '' })
  const call = (port: { id: string }, { steps = [] }: { steps?: readonly Size[] }): Promise<unknown> => {
    if (port.id === 'picture.look') return Promise.resolve({ ...source(), format: 'png', entropy: 7 })
    const { width, height } = steps[0] ?? source()
    given = { width, height }
    return Promise.resolve({ file: FILE, content_type: 'image/png', ...given })
  }
  const context = {
    ...{ settings, call, requestId: 'r', secret: () => '', timeLeft: () => 100_000, tokens: () => undefined, progress: () => undefined },
    api: {
      json: (request: Call) => sent(request, left.shift()),
      file: (request: Call) => sent(request, { file: FILE }),
      download: () => Promise.resolve({ file: FILE }),
    },
    cleanUp: () => () => undefined,
    note: (remark: string) => void notes.push(remark),
    scratch: { decode: () => Promise.resolve(FILE), remove: () => Promise.resolve() },
  } as unknown as ProviderContext
  await runProvider(contribution, input, context)
  return { call: calls[0] ?? { path: '' }, source: source(), given, notes }
}

describe('images: each vendor, ratio and size', () => {
  for (const stage of STAGES)
    it(`${stage.name} is asked for what it has, and the answer has the ratio and the pixels asked for`, async () => {
      for (const aspect_ratio of ASPECT_RATIOS)
        for (const image_size of IMAGE_SIZES) {
          const about = `${aspect_ratio} ${image_size}`
          const wanted = pixelsOf({ aspect_ratio, image_size })
          const { source, given, notes } = await run(stage, { prompt: 'x', aspect_ratio, image_size, reference: null })
          expect(given, about).to.deep.equal(wanted)
          const same = source.width === wanted.width && source.height === wanted.height
          expect(notes, about).to.have.lengthOf(same ? 0 : 1)
          if (!same) expect(notes[0], about).to.contain(`to ${String(wanted.width)} x ${String(wanted.height)}.`)
          const quotients = [source.width / source.height, wanted.width / wanted.height]
          expect(Math.min(...quotients) / Math.max(...quotients), about).to.be.at.least(stage.keeps)
        }
    })
})
