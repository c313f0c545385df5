/** Pixels as red, green, blue and alpha, row by row. */
export interface Sample {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

export interface Colours {
  readonly colours: { hex: string; share: number }[]
  readonly transparent: number
  readonly mean: string | null
  readonly background: string | null
  readonly entropy: number
}

interface Bin {
  count: number
  red: number
  green: number
  blue: number
}

type Rgb = readonly [number, number, number]

const OPAQUE = 128
/** Bits per channel for counting pixels. */
const BITS = 5
/** Distance in Oklab below which two colours are shades of the same. */
const SAME = 0.08
const WHITE = 0.04
/** Minimum share of the edge with the background colour. */
const EDGE = 0.9

/**
 * The dominant colours of a sample and its other properties. Pixels are counted in cells of the colour cube; the
 * fullest cell determines a colour and takes the nearby cells in Oklab (https://bottosson.github.io/posts/oklab/),
 * then the next fullest of the rest.
 */
export function coloursOf(sample: Sample, { most, ignoreWhite }: { readonly most: number; readonly ignoreWhite: boolean }): Colours {
  const pixels = sample.width * sample.height
  const all = binsOf(sample, () => true)
  const opaque = all.reduce((sum, { count }) => sum + count, 0)
  return {
    colours: dominant(ignoreWhite ? all.filter((bin) => distance(oklab(meanOf(bin)), oklab([255, 255, 255])) > WHITE) : all, most),
    transparent: rounded(1 - opaque / pixels),
    mean: opaque === 0 ? null : hexOf(meanOf(summed(all))),
    background: backgroundOf(sample),
    entropy: entropyOf(sample, opaque),
  }
}

function dominant(bins: readonly Bin[], most: number): { hex: string; share: number }[] {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  const found: { readonly hex: string; readonly lab: Rgb; count: number }[] = []
  for (const bin of [...bins].sort((one, other) => other.count - one.count)) {
    const colour = meanOf(bin)
    const lab = oklab(colour)
    const near = found.find((each) => distance(each.lab, lab) < SAME)
    if (near === undefined) found.push({ hex: hexOf(colour), lab, count: bin.count })
    else near.count += bin.count
  }
  return found
    .sort((one, other) => other.count - one.count)
    .slice(0, most)
    .map(({ hex, count }) => ({ hex, share: rounded(count / total) }))
}

/** The colour along the edges, when nearly uniform. */
function backgroundOf(sample: Sample): string | null {
  const { width, height } = sample
  const edge = binsOf(sample, (x, y) => x === 0 || y === 0 || x === width - 1 || y === height - 1)
  const length = width < 2 || height < 2 ? width * height : 2 * (width + height) - 4
  const [colour] = dominant(edge, 1)
  const opaque = edge.reduce((sum, { count }) => sum + count, 0)
  return colour !== undefined && (colour.share * opaque) / length >= EDGE ? colour.hex : null
}

function binsOf({ data, width }: Sample, counts: (x: number, y: number) => boolean): Bin[] {
  const bins = new Map<number, Bin>()
  for (let at = 0; at + 3 < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    const pixel = at / 4
    if (alpha < OPAQUE || !counts(pixel % width, Math.floor(pixel / width))) continue
    const key = ((red >> (8 - BITS)) << (2 * BITS)) | ((green >> (8 - BITS)) << BITS) | (blue >> (8 - BITS))
    const bin = bins.get(key)
    if (bin === undefined) bins.set(key, { count: 1, red, green, blue })
    else add(bin, { count: 1, red, green, blue })
  }
  return [...bins.values()]
}

function entropyOf({ data }: Sample, opaque: number): number {
  const tones = new Array<number>(256).fill(0)
  for (let at = 0; at + 3 < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < OPAQUE) continue
    const tone = Math.round(0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0))
    tones[tone] = (tones[tone] ?? 0) + 1
  }
  return rounded(tones.reduce((sum, count) => (count === 0 ? sum : sum - (count / opaque) * Math.log2(count / opaque)), 0))
}

function summed(bins: readonly Bin[]): Bin {
  const sum = { count: 0, red: 0, green: 0, blue: 0 }
  for (const bin of bins) add(sum, bin)
  return sum
}

function add(bin: Bin, { count, red, green, blue }: Bin): void {
  bin.count += count
  bin.red += red
  bin.green += green
  bin.blue += blue
}

function meanOf({ count, red, green, blue }: Bin): Rgb {
  return [Math.round(red / count), Math.round(green / count), Math.round(blue / count)]
}

function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function oklab(colour: Rgb): Rgb {
  const [red, green, blue] = [linear(colour[0]), linear(colour[1]), linear(colour[2])]
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

/** Linear sRGB (IEC 61966-2-1). */
function linear(value: number): number {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function distance(one: Rgb, other: Rgb): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
