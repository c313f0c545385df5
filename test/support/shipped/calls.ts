import type { LoadedCapability } from '../../../core/loader/types.js'
import type { ShippedWorld } from './world.js'

export type Params = Readonly<Record<string, unknown>>

/** How one bundled capability is called in the world of the tests. */
export interface ShippedCall {
  /** A call that one server behind the gate answers where the sources are gated. `n` makes it another question, so that no kept value answers it. */
  readonly gated: (world: ShippedWorld, n: number) => Params
  /** A call that succeeds without any vendor account. */
  readonly free: (world: ShippedWorld) => Params
  /** The program that the free one needs. */
  readonly tool?: string
}

const site = ({ gate }: ShippedWorld, name: string, n = 0): string => `${gate.url}/site/${String(n)}/${name}`
const picture = (world: ShippedWorld, n = 0): Params => ({
  file_url: site(world, 'picture.png', n),
  source_format: 'png',
  target_format: 'webp',
})
const text = (n: number): Params => ({ content: `Invoice R-17 of order ${String(n)}.`, extraction_prompt: 'The number of the invoice.' })
const spoken = (world: ShippedWorld, n = 0): Params => ({ audio_url: site(world, 'talk.wav', n) })
const ADA: Params = { linkedin_url: 'https://www.linkedin.com/in/ada-lovelace' }

/** Every bundled capability that reaches out of the gateway, by its id. One that does not needs no row: its examples are its calls. */
export const SHIPPED_CALLS: Readonly<Record<string, ShippedCall>> = {
  'code.execute': {
    gated: (_, n) => ({ code: `print(1) # ${String(n)}` }),
    free: () => ({ code: 'print(6 * 7)', language: 'python' }),
    tool: 'bwrap',
  },
  search: { gated: (_, n) => ({ query: `red kettle ${String(n)}`, mode: 'serp' }), free: () => ({ query: 'red kettle', mode: 'serp' }) },
  research: {
    gated: (_, n) => ({ query: `red kettle ${String(n)}`, enrich_entities: false }),
    free: () => ({ query: 'red kettle', enrich_entities: false }),
  },
  scrape: {
    gated: (world, n) => ({ url: site(world, 'page', n), mode: 'fast' }),
    free: (world) => ({ url: site(world, 'page'), mode: 'standard' }),
    tool: 'chromium',
  },
  'screenshots.capture': {
    gated: (world, n) => ({ url: site(world, 'page', n) }),
    free: (world) => ({ url: site(world, 'page'), width: 64, height: 48 }),
    tool: 'chromium',
  },
  'files.convert': { gated: picture, free: picture },
  'documents.extract': { gated: (_, n) => text(n), free: () => text(0) },
  'images.generate': {
    gated: (_, n) => ({ prompt: `A red kettle, number ${String(n)}` }),
    free: () => ({ prompt: 'A red kettle' }),
    tool: 'bwrap',
  },
  'images.remove_background': {
    gated: (world, n) => ({ image_url: site(world, 'subject.png', n) }),
    free: (world) => ({ image_url: site(world, 'subject.png') }),
    tool: 'bwrap',
  },
  'speech.synthesize': {
    gated: (_, n) => ({ text: `Kettle number ${String(n)}.` }),
    free: () => ({ text: 'Guten Tag, wie geht es Ihnen?' }),
    tool: 'espeak-ng',
  },
  'speech.transcribe': { gated: spoken, free: spoken, tool: 'whisper' },
  'audio.transcribe': { gated: spoken, free: spoken, tool: 'whisper' },
  'subtitles.generate': { gated: spoken, free: spoken, tool: 'whisper' },
  'sounds.generate': {
    gated: (_, n) => ({ prompt: `Rain, ${String(n)} drops`, duration_seconds: 1 }),
    free: () => ({ prompt: 'rain', duration_seconds: 1 }),
    tool: 'ffmpeg',
  },
  'video.info': {
    gated: (world, n) => ({ url: site(world, 'film.mp4', n) }),
    free: (world) => ({ url: site(world, 'film.mp4') }),
    tool: 'yt-dlp',
  },
  'video.download': {
    gated: (world, n) => ({ url: site(world, 'film.mp4', n) }),
    free: (world) => ({ url: site(world, 'film.mp4') }),
    tool: 'yt-dlp',
  },
  'invoices.parse': {
    gated: (world, n) => ({ document_url: site(world, 'invoice.xml', n) }),
    free: (world) => ({ document_url: site(world, 'invoice.xml') }),
  },
  domains: {
    gated: (_, n) => ({ mode: 'check-availability', domains: [`free${String(n)}.shop`] }),
    free: () => ({ mode: 'check-availability', domains: ['example.com'] }),
  },
  'sites.intel': {
    gated: (_, n) => ({ domain: `site${String(n)}.test`, mode: 'whois' }),
    free: () => ({ domain: 'example.com', mode: 'dns' }),
  },
  'emails.verify': {
    gated: (_, n) => ({ email: `first.last${String(n)}@example.com` }),
    free: () => ({ email: 'first.last@example.com' }),
  },
  'emails.find': {
    gated: (_, n) => ({ first_name: `First${letters(n)}`, last_name: 'Last', domain: 'example.com' }),
    free: () => ({ first_name: 'First', last_name: 'Last', domain: 'example.com' }),
  },
  'companies.find': { gated: (_, n) => ({ domain: `acme${String(n)}.test` }), free: () => ({ domain: 'acme.test' }) },
  'messages.send': {
    gated: (_, n) => ({ to: `+49171${String(1_000_000 + n)}`, message: `Table ${String(n)} is free.` }),
    free: () => ({ to: '+491711234567', message: 'Your table is free.' }),
  },
  'profiles.find': { gated: (_, n) => ({ ...ADA, include_image: n % 2 === 0 }), free: () => ADA },
}

/** A call of a bundled capability: that of its row, else its first example. */
export function gatedParams({ capability: { id, examples } }: LoadedCapability, world: ShippedWorld, n: number): Params {
  return SHIPPED_CALLS[id]?.gated(world, n) ?? examples[0]?.params ?? {}
}

/** A number in letters: names of people have no digits. */
function letters(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)] ?? '').join('')
}
