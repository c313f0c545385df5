/** Samples of one spectrum; it moves on by half. */
export const SIZE = 4_096

/** Power by frequency, averaged over a sound (Welch, Hann window); bin n is at `n * rate / SIZE` Hz. A shorter sound is padded with silence. */
export function powerSpectrum(samples: Float32Array): Float64Array {
  const power = new Float64Array(SIZE / 2 + 1)
  for (let from = 0; from === 0 || from + SIZE <= samples.length; from += SIZE / 2) {
    const frame = spectrumOf(samples.subarray(from, from + SIZE))
    for (let bin = 0; bin < power.length; bin++) power[bin] = (power[bin] ?? 0) + (frame[bin] ?? 0)
  }
  return power
}

/** Power by frequency of at most `SIZE` samples. */
export function spectrumOf(samples: Float32Array): Float64Array {
  const [real, imaginary] = [new Float64Array(SIZE), new Float64Array(SIZE)]
  for (let at = 0; at < Math.min(SIZE, samples.length); at++)
    real[at] = (samples[at] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / SIZE))
  transform(real, imaginary)
  return Float64Array.from({ length: SIZE / 2 + 1 }, (_, bin) => (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2)
}

/** The fast Fourier transform (Cooley and Tukey), in place; the length is a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const { length } = real
  for (let at = 1, other = 0; at < length; at++) {
    let bit = length >> 1
    for (; (other & bit) !== 0; bit >>= 1) other ^= bit
    other ^= bit
    if (at < other) {
      swap(real, at, other)
      swap(imaginary, at, other)
    }
  }
  for (let size = 2; size <= length; size <<= 1) {
    const angle = (-2 * Math.PI) / size
    for (let from = 0; from < length; from += size)
      for (let at = 0; at < size / 2; at++) {
        const [cos, sin] = [Math.cos(angle * at), Math.sin(angle * at)]
        const [low, high] = [from + at, from + at + size / 2]
        const [re, im] = [real[high] ?? 0, imaginary[high] ?? 0]
        const [turnedRe, turnedIm] = [re * cos - im * sin, re * sin + im * cos]
        real[high] = (real[low] ?? 0) - turnedRe
        imaginary[high] = (imaginary[low] ?? 0) - turnedIm
        real[low] = (real[low] ?? 0) + turnedRe
        imaginary[low] = (imaginary[low] ?? 0) + turnedIm
      }
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const held = values[one] ?? 0
  values[one] = values[other] ?? 0
  values[other] = held
}
