import sharp from 'sharp'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { localMachine } from '../../capstan/kit/conformance/index.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import type { MakeInput } from '../../../plugins/picture/contract.js'
import { LIMITS } from '../../../plugins/picture/limits.js'
import { medianMs, row, type Say } from './figure.js'

/** Between two calls that find their process ready; the next one is started when the last has ended. */
const APART_MS = 700
const MODULES = '../../../plugins/'
const USUAL = { quality: null, lossless: false, progressive: false, keep_metadata: false, page: 0, animated: false, upright: true } as const

/** How long pictures take in the sandbox, and facts of a page in a worker thread. */
export async function benchPicture(say: Say): Promise<void> {
  const { options, close } = await localMachine({ clock: systemClock, programs: () => undefined })
  const { sandbox, workers } = options
  const folder = new ScratchFolder(LIMITS.bytes)
  try {
    if (sandbox === undefined || sandbox === null || workers === undefined || workers === null)
      return say('| pictures | not measured: no sandbox on this machine | | |')
    const bytes = await photograph()
    const file = await folder.write([bytes])
    const parse = async (name: string, args: unknown): Promise<void> => {
      const how = { args, callFiles: folder, memoryMb: LIMITS.memoryMb, timeoutMs: LIMITS.seconds * 1000 }
      await sandbox.parseFiles(new URL(`${MODULES}picture/parse/${name}.js`, import.meta.url), [file], how, aCall())
    }
    const made = (input: Pick<MakeInput, 'format' | 'steps'>) => parse('make', { input: { ...USUAL, file, ...input }, ids: [file.id] })
    const steps: MakeInput['steps'] = [{ op: 'resize', width: 512 }]
    const goal = { most: 150, unit: 'ms' }
    const [made512, rest] = [(format: MakeInput['format']) => () => made({ format, steps }), { restMs: APART_MS }]
    say(row('picture.make, a JPEG of 1600 x 1200 to 512 px webp', await medianMs(made512('webp'), rest), goal))
    for (const format of ['png', 'jpeg', 'avif'] as const)
      say(row(`the same to ${format}`, await medianMs(made512(format), rest), { unit: 'ms' }))
    say(row('picture.make, webp, one right after the other', await medianMs(made512('webp')), { unit: 'ms' }))
    const inspect = (): Promise<void> => parse('look', { page: 0, colours: 5, ignore_white: false })
    say(row('picture.look of the same JPEG', await medianMs(inspect, rest), { unit: 'ms' }))
    const html = page()
    const facts = (): Promise<unknown> =>
      workers.run(new URL(`${MODULES}scrape/work/facts.js`, import.meta.url), { html, url: 'https://example.com/' }, {}, aCall())
    say(row(`page.facts of a page of ${String(Math.round(html.length / 1000))} kB`, await medianMs(facts), { unit: 'ms' }))
  } finally {
    await folder.close()
    await close()
  }
}

function aCall(): Cancel {
  return new Cancel(systemClock, systemClock.monotonic() + 60_000)
}

/** Smooth shades with some noise, which compress like a photograph. */
async function photograph(): Promise<Buffer> {
  const [width, height] = [1600, 1200]
  const pixels = Buffer.alloc(width * height * 3)
  let noise = 1
  for (let at = 0; at < pixels.length; at += 1) {
    const pixel = Math.floor(at / 3)
    noise = (noise * 1_103_515_245 + 12_345) & 0x7fffffff
    pixels[at] = 128 + 100 * Math.sin((pixel % width) / 50 + (at % 3)) * Math.cos(pixel / width / 70) + ((noise >> 24) & 15)
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
}

function page(): string {
  const product = JSON.stringify({ '@type': 'Product', name: 'Kettle', offers: { '@type': 'Offer', price: '19.90' } })
  const rows = Array.from(
    { length: 100 },
    (_, at) => `<tr><td>Part ${String(at)}</td><td>${String(at * 3)} W</td><td>ready</td></tr>`,
  ).join('')
  const text = '<h2>More of it</h2><p>Some words about the kettle and <a href="/more">what is more</a> about it.</p>'.repeat(240)
  return `<title>Kettle</title><script type="application/ld+json">${product}</script><table>${rows}</table>${text}`
}
