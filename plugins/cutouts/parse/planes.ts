interface Size {
  readonly width: number
  readonly height: number
}

/** Values of a picture, row by row. */
export interface Plane extends Size {
  readonly data: Float32Array
}

export function planeOf(width: number, height: number, at: (index: number) => number = () => 0): Plane {
  const data = new Float32Array(width * height)
  for (let index = 0; index < data.length; index++) data[index] = at(index)
  return { data, width, height }
}

/** Combines the values at each position by `work`. */
export function combine(planes: readonly [Plane, ...Plane[]], work: (...values: number[]) => number): Plane {
  const [{ width, height }] = planes
  const [one, two] = planes.map(({ data }) => data)
  if (one === undefined) throw new Error('unreachable: there is a plane')
  if (two === undefined) return planeOf(width, height, (index) => work(one[index] ?? 0))
  return planeOf(width, height, (index) => work(one[index] ?? 0, two[index] ?? 0))
}

/** The mean of the `2 radius + 1` square around each position, clipped to the picture. Constant time for any radius. */
export function boxMean({ data, width, height }: Plane, radius: number): Plane {
  const rows = new Float32Array(data.length)
  for (let y = 0; y < height; y++) slide(data, rows, { from: y * width, step: 1, length: width, radius })
  const all = new Float32Array(data.length)
  for (let x = 0; x < width; x++) slide(rows, all, { from: x, step: width, length: height, radius })
  return { data: all, width, height }
}

interface Line {
  readonly from: number
  readonly step: number
  readonly length: number
  readonly radius: number
}

function slide(source: Float32Array, target: Float32Array, { from, step, length, radius }: Line): void {
  let [sum, count] = [0, 0]
  for (let at = 0; at < Math.min(radius, length); at++, count++) sum += source[from + at * step] ?? 0
  for (let at = 0; at < length; at++) {
    const [enters, leaves] = [at + radius, at - radius - 1]
    if (enters < length) {
      sum += source[from + enters * step] ?? 0
      count++
    }
    if (leaves >= 0) {
      sum -= source[from + leaves * step] ?? 0
      count--
    }
    target[from + at * step] = sum / count
  }
}

/** Resizes by linear interpolation, aligned at pixel centres, line by line: the values of a line are valid until the next is requested. */
export function linesOf({ data, width, height }: Plane, toWidth: number, toHeight: number): (y: number) => Float32Array {
  const columns = weights(width, toWidth)
  const lines = weights(height, toHeight)
  const made = new Float32Array(toWidth)
  return (y) => {
    const [top, below] = [(lines.first[y] ?? 0) * width, (lines.second[y] ?? 0) * width]
    const down = lines.share[y] ?? 0
    for (let x = 0; x < toWidth; x++) {
      const [left, right, over] = [columns.first[x] ?? 0, columns.second[x] ?? 0, columns.share[x] ?? 0]
      const upper = (data[top + left] ?? 0) * (1 - over) + (data[top + right] ?? 0) * over
      const lower = (data[below + left] ?? 0) * (1 - over) + (data[below + right] ?? 0) * over
      made[x] = upper * (1 - down) + lower * down
    }
    return made
  }
}

/** The same for the whole plane. */
export function resized(plane: Plane, width: number, height: number): Plane {
  const line = linesOf(plane, width, height)
  const data = new Float32Array(width * height)
  for (let y = 0; y < height; y++) data.set(line(y), y * width)
  return { data, width, height }
}

/** The downscaled red, green and blue of a picture, 0 to 1: means of the pixels. */
export function shrunk(pixels: Uint8Array, size: Size, { width, height }: Size): [Plane, Plane, Plane] {
  const channels: [Plane, Plane, Plane] = [planeOf(width, height), planeOf(width, height), planeOf(width, height)]
  const [reds, greens, blues] = channels
  for (let y = 0; y < height; y++) {
    const [top, below] = [Math.floor((y * size.height) / height), Math.ceil(((y + 1) * size.height) / height)]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.floor((x * size.width) / width), Math.ceil(((x + 1) * size.width) / width)]
      let [red, green, blue] = [0, 0, 0]
      for (let row = top; row < below; row++)
        for (let at = (row * size.width + left) * 4, end = (row * size.width + right) * 4; at < end; at += 4) {
          red += pixels[at] ?? 0
          green += pixels[at + 1] ?? 0
          blue += pixels[at + 2] ?? 0
        }
      const count = (below - top) * (right - left) * 255
      const place = y * width + x
      reds.data[place] = red / count
      greens.data[place] = green / count
      blues.data[place] = blue / count
    }
  }
  return channels
}

/** The downscaled size of a picture: its longer side has at most so many pixels. */
export function within({ width, height }: Size, side: number): Size {
  const factor = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

/** For each new position its two old neighbours, and the weight of the second. */
function weights(from: number, to: number): { first: Int32Array; second: Int32Array; share: Float32Array } {
  const [first, second, share] = [new Int32Array(to), new Int32Array(to), new Float32Array(to)]
  for (let at = 0; at < to; at++) {
    const place = Math.max(0, Math.min(from - 1, ((at + 0.5) * from) / to - 0.5))
    first[at] = Math.floor(place)
    second[at] = Math.min(from - 1, Math.floor(place) + 1)
    share[at] = place - Math.floor(place)
  }
  return { first, second, share }
}
