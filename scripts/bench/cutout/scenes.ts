import sharp from 'sharp'
import { median, row, type Say } from '../files/figure.js'
import { random, type Random } from '../invoices/random.js'
import { mixed, subject, type Kind } from './subjects.js'

/** A picture whose subject is known to the pixel. */
export interface Scene {
  readonly name: string
  readonly kind: Kind
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  /** The subject's alpha, a byte a pixel. */
  readonly truth: Uint8Array
}

const [WIDTH, HEIGHT] = [960, 720]
const QUALITY = 88

/** Drawn subjects before backgrounds as photographs have them: out of focus, with light and grain. The same for the same seed. */
export async function scenes(seed: number, count: number): Promise<Scene[]> {
  return await Promise.all(Array.from({ length: count }, (_, number) => scene(number, random(seed * 1000 + number), background)))
}

/** The same subjects before one colour, as shops have them. */
export async function flatScenes(seed: number, count: number): Promise<Scene[]> {
  const one = (draw: Random): Promise<Buffer> => plain(draw.pick(['#ffffff', '#f4f4f2', '#3ba55c', '#dfe7ee', '#202227', '#e9d9c0']))
  return await Promise.all(Array.from({ length: count }, (_, number) => scene(number, random(seed * 7000 + number), one)))
}

async function scene(number: number, draw: Random, ground: (draw: Random) => Promise<Buffer>): Promise<Scene> {
  const drawn = subject(number, draw)
  const side = Math.round(HEIGHT * (drawn.name === 'portrait' ? 0.98 : 0.62 + draw.next() * 0.3))
  const left = Math.round((WIDTH - side) * (0.3 + 0.4 * draw.next()))
  const top = drawn.name === 'portrait' ? HEIGHT - side : Math.round((HEIGHT - side) * (0.3 + 0.5 * draw.next()))
  const place = `<svg x="${String(left)}" y="${String(top)}" width="${String(side)}" height="${String(side)}" viewBox="0 0 1000 1000">${drawn.defs}${drawn.body}</svg>`
  const alone = await sharp(svg(place)).ensureAlpha().png().toBuffer()
  const truth = await sharp(alone).extractChannel('alpha').raw().toBuffer()
  const grained = await sharp(alone)
    .composite([
      { input: await grain(draw, 12), blend: 'soft-light' },
      { input: alone, blend: 'dest-in' },
    ])
    .png()
    .toBuffer()
  const behind = await ground(draw)
  const bytes = await sharp(behind)
    .composite([{ input: grained }])
    .jpeg({ quality: QUALITY })
    .toBuffer()
  return { name: `${drawn.name} ${String(number)}`, kind: drawn.kind, bytes, width: WIDTH, height: HEIGHT, truth }
}

function svg(inner: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${String(WIDTH)}" height="${String(HEIGHT)}">${inner}</svg>`)
}

/** Grey noise around the middle, opaque. */
async function grain(draw: Random, amount: number): Promise<Buffer> {
  const data = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let at = 0; at < data.length; at += 3) data.fill(128 + Math.round((draw.next() + draw.next() - 1) * amount * 2), at, at + 3)
  return await sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .blur(0.6)
    .png()
    .toBuffer()
}

async function plain(colour: string): Promise<Buffer> {
  return await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: colour } })
    .png()
    .toBuffer()
}

async function background(draw: Random): Promise<Buffer> {
  const drawn = draw.pick([meadow, room, lights, street, foliage])(draw)
  const blurred = await sharp(svg(drawn))
    .flatten({ background: '#777777' })
    .blur(2 + draw.next() * 4)
    .png()
    .toBuffer()
  return await sharp(blurred)
    .composite([{ input: await grain(draw, 18), blend: 'soft-light' }])
    .png()
    .toBuffer()
}

const text = (value: number): string => value.toFixed(1)

function gradient(id: string, top: string, bottom: string): string {
  return `<linearGradient id="${id}" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`
}

function meadow(draw: Random): string {
  const horizon = HEIGHT * (0.45 + 0.2 * draw.next())
  const hills = Array.from({ length: 4 }, (_, at) => {
    const y = horizon - 90 + at * 40
    const colour = mixed('#4d7a4a', draw.pick(['#8aa36b', '#2f5d3a', '#7d8f5a']), draw.next())
    return `<path fill="${colour}" d="M0 ${text(y)} Q ${text(WIDTH * draw.next())} ${text(y - 120 * draw.next())} ${text(WIDTH)} ${text(y)} L ${text(WIDTH)} ${text(HEIGHT)} L 0 ${text(HEIGHT)} Z"/>`
  })
  const blades = Array.from({ length: 260 }, () => {
    const [x, y] = [WIDTH * draw.next(), horizon + (HEIGHT - horizon) * draw.next()]
    return `<path stroke="${mixed('#3f6b33', '#a5b86b', draw.next())}" stroke-width="3" d="M${text(x)} ${text(y)} l ${text(draw.next() * 16 - 8)} ${text(-20 - 30 * draw.next())}"/>`
  })
  return `${gradient('sky', '#7fb2e5', '#e6f0f5')}<rect fill="url(#sky)" width="100%" height="100%"/>${hills.join('')}${blades.join('')}`
}

function room(draw: Random): string {
  const floor = HEIGHT * (0.68 + 0.12 * draw.next())
  const wall = draw.pick(['#cfc4b2', '#9fb3ae', '#b9b3c4', '#d8d2c6', '#8f9aa5'])
  const boards = Array.from({ length: 14 }, (_, at) => {
    const x = (at * WIDTH) / 14
    return `<rect fill="${mixed('#8f6a45', '#5c3f27', draw.next())}" x="${text(x)}" y="${text(floor)}" width="${text(WIDTH / 14 - 3)}" height="${text(HEIGHT)}"/>`
  })
  const window = `<g transform="translate(${text(WIDTH * draw.next() * 0.7)} 60)"><rect fill="#f4f8fb" width="240" height="300"/><path stroke="#8b7a66" stroke-width="14" fill="none" d="M0 0 H240 V300 H0 Z M120 0 V300 M0 150 H240"/></g>`
  const shelf = `<g transform="translate(${text(WIDTH * draw.next() * 0.8)} ${text(floor - 260)})"><rect fill="#6d4c33" width="200" height="260"/>${Array.from({ length: 9 }, (_, at) => `<rect fill="${mixed('#a33', '#268', draw.next())}" x="${text(12 + at * 20)}" y="40" width="16" height="80"/>`).join('')}</g>`
  return `${gradient('wall', mixed(wall, '#ffffff', 0.2), mixed(wall, '#000000', 0.15))}<rect fill="url(#wall)" width="100%" height="100%"/>${window}${shelf}${boards.join('')}`
}

function lights(draw: Random): string {
  const circles = Array.from({ length: 60 }, () => {
    const colour = draw.pick(['#f2c46d', '#e98f5a', '#7fb6d9', '#f0e6c8', '#c47fa0'])
    return `<circle fill="${colour}" opacity="${text(0.15 + 0.5 * draw.next())}" cx="${text(WIDTH * draw.next())}" cy="${text(HEIGHT * draw.next())}" r="${text(8 + 40 * draw.next())}"/>`
  })
  return `${gradient('night', '#1b2233', '#3a2a33')}<rect fill="url(#night)" width="100%" height="100%"/>${circles.join('')}`
}

function street(draw: Random): string {
  const houses = Array.from({ length: 7 }, (_, at) => {
    const [x, high] = [(at * WIDTH) / 7, HEIGHT * (0.35 + 0.3 * draw.next())]
    const panes = Array.from({ length: 12 }, (_pane, pane) => {
      const [column, row] = [pane % 3, Math.floor(pane / 3)]
      return `<rect fill="${mixed('#46586b', '#d8c98f', draw.next())}" x="${text(x + 16 + column * 38)}" y="${text(HEIGHT * 0.72 - high + 24 + row * 62)}" width="24" height="38"/>`
    })
    return `<rect fill="${mixed('#8d7f70', draw.pick(['#b5a58f', '#6f7a80', '#a0695a']), draw.next())}" x="${text(x)}" y="${text(HEIGHT * 0.72 - high)}" width="${text(WIDTH / 7 + 1)}" height="${text(high)}"/>${panes.join('')}`
  })
  return `${gradient('air', '#b8c6d2', '#dfe0dc')}<rect fill="url(#air)" width="100%" height="100%"/>${houses.join('')}<rect fill="#6b6c6e" y="${text(HEIGHT * 0.72)}" width="100%" height="100%"/><rect fill="#9c9b97" y="${text(HEIGHT * 0.72)}" width="100%" height="26"/>`
}

function foliage(draw: Random): string {
  const leaves = Array.from({ length: 420 }, () => {
    const colour = mixed('#1f4425', draw.pick(['#6f9a4a', '#a3b86a', '#35693a']), draw.next())
    const [x, y] = [WIDTH * draw.next(), HEIGHT * draw.next()]
    return `<ellipse fill="${colour}" cx="${text(x)}" cy="${text(y)}" rx="${text(18 + 26 * draw.next())}" ry="${text(8 + 12 * draw.next())}" transform="rotate(${text(180 * draw.next())} ${text(x)} ${text(y)})"/>`
  })
  return `<rect fill="#24402a" width="100%" height="100%"/>${leaves.join('')}`
}

/** Intersection over union of an alpha with the truth, both cut at half. */
export function iou(alpha: Uint8Array, truth: Uint8Array): number {
  let [both, either] = [0, 0]
  for (let at = 0; at < truth.length; at++) {
    const [one, other] = [(alpha[at] ?? 0) >= 128, (truth[at] ?? 0) >= 128]
    if (one && other) both++
    if (one || other) either++
  }
  return either === 0 ? 0 : both / either
}

/** The figures of the vendor flat: 0 is a picture that it leaves to the next vendor. */
export function flatRows(say: Say, found: readonly number[]): void {
  const cut = found.filter((value) => value > 0)
  say(row(`flat: IoU of ${String(cut.length)} pictures, median`, median(cut), { least: 0.97, unit: '' }))
  say(row('flat: the worst', Math.min(...cut), { unit: '' }))
  say(row('flat: pictures that it leaves to the next vendor', found.length - cut.length, { unit: `of ${String(found.length)}` }))
}
