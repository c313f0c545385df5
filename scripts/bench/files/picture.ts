import sharp from 'sharp'
import { Cancel } from '../../../core/cancel.js'
import { systemClock } from '../../../core/clock.js'
import { localMachine } from '../../../core/conformance/index.js'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import type { MakeInput } from '../../../plugins/picture/contract.js'
import { LIMITS } from '../../../plugins/picture/limits.js'

const WARM_UPS = 3
const RUNS = 20
/** Between two calls that find their process ready; the next one is started when the last has ended. */
const APART_MS = 700
const MODULES = '../../../plugins/'
const USUAL = { quality: null, lossless: false, progressive: false, keep_metadata: false, page: 0, animated: false, upright: true } as const

/** Says how long pictures take in the sandbox and facts of a page in a worker thread: medians of 20 after 3 warm-ups, on this machine. */
export async function benchPicture(say: (line: string) => void): Promise<void> {
  const { options, close } = await localMachine({ clock: systemClock, programs: () => undefined })
  const { sandbox, workers } = options
  const folder = new ScratchFolder(LIMITS.bytes)
  try {
    if (sandbox === undefined || sandbox === null || workers === undefined || workers === null)
      return say('pictures: no sandbox on this machine')
    const bytes = await photograph()
    const file = await folder.write([bytes])
    const parse = async (name: string, args: unknown): Promise<void> => {
      const how = { args, callFiles: folder, memoryMb: LIMITS.memoryMb, timeoutMs: LIMITS.seconds * 1000 }
      await sandbox.parseFiles(new URL(`${MODULES}picture/parse/${name}.js`, import.meta.url), [file], how, aCall())
    }
    const made = (input: Pick<MakeInput, 'format' | 'steps'>) => parse('make', { input: { ...USUAL, file, ...input }, ids: [file.id] })
    const steps: MakeInput['steps'] = [{ op: 'resize', width: 512 }]
    say(`a JPEG of 1600 x 1200 pixels, ${String(Math.round(bytes.length / 1000))} kB:`)
    for (const format of ['webp', 'png', 'jpeg', 'avif'] as const)
      say(`  picture.make, 512 px ${format}: ${await timed(() => made({ format, steps }), APART_MS)}`)
    say(`  picture.look: ${await timed(() => parse('look', { page: 0, colours: 5, ignore_white: false }), APART_MS)}`)
    say(`  picture.make, 512 px webp, one right after the other: ${await timed(() => made({ format: 'webp', steps }), 0)}`)
    const html = page()
    const facts = (): Promise<unknown> =>
      workers.run(new URL(`${MODULES}scrape/work/facts.js`, import.meta.url), { html, url: 'https://example.com/' }, {}, aCall())
    say(`page.facts of ${String(Math.round(html.length / 1000))} kB: ${await timed(facts, 0)}`)
  } finally {
    await folder.close()
    await close()
  }
}

async function timed(work: () => Promise<unknown>, apartMs: number): Promise<string> {
  const times: number[] = []
  for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
    const began = performance.now()
    await work()
    if (run >= WARM_UPS) times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, apartMs))
  }
  return `${(times.sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? NaN).toFixed(0)} ms`
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
