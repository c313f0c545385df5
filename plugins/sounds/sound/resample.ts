/** Zero crossings of the sinc on each side, at the lower of the two rates. */
const CROSSINGS = 24
/** Parameter of the Kaiser window: about 90 dB beyond the edge. */
const BETA = 9
/** End of the pass band, as a share of half the lower rate. */
const EDGE = 0.94

/** A channel resampled by a windowed sinc, with `frames` samples. `round`: its end continues at its start. */
export function resampled(
  source: Float32Array,
  { from, to, frames, round }: { readonly from: number; readonly to: number; readonly frames: number; readonly round: boolean },
): Float32Array {
  if (from === to && frames === source.length) return source
  const shared = divisor(from, to)
  const [up, down] = [to / shared, from / shared]
  const lower = Math.min(1, to / from) * EDGE
  const half = Math.ceil(CROSSINGS / lower)
  const tables = Array.from({ length: up }, (_, phase) => table(phase / up, half, lower))
  const made = new Float32Array(frames)
  const { length } = source
  for (let at = 0; at < frames; at++) {
    const place = at * down
    const middle = Math.floor(place / up)
    const taps = tables[place % up] ?? new Float32Array()
    const first = middle - half + 1
    let sum = 0
    if (first >= 0 && first + taps.length <= length)
      for (let tap = 0; tap < taps.length; tap++) sum += (taps[tap] ?? 0) * (source[first + tap] ?? 0)
    else
      for (let tap = 0; tap < taps.length; tap++) {
        const index = round ? (((first + tap) % length) + length) % length : first + tap
        sum += (taps[tap] ?? 0) * (source[index] ?? 0)
      }
    made[at] = sum
  }
  return made
}

/** Weights of the samples around a position `share` of a sample after one. */
function table(share: number, half: number, lower: number): Float32Array {
  const taps = new Float32Array(2 * half)
  let whole = 0
  for (let tap = 0; tap < taps.length; tap++) {
    const distance = tap - half + 1 - share
    const angle = Math.PI * distance * lower
    const weight =
      (angle === 0 ? 1 : Math.sin(angle) / angle) * (bessel(BETA * Math.sqrt(Math.max(0, 1 - (distance / half) ** 2))) / bessel(BETA))
    taps[tap] = weight
    whole += weight
  }
  return taps.map((weight) => weight / whole)
}

/** The modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1]
  for (let index = 1; term > sum * 1e-10; index++) {
    term *= (x / (2 * index)) ** 2
    sum += term
  }
  return sum
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
