/** Programme loudness by EBU R 128, in LUFS. */
export const TARGET = -23
/** Limit above which samples are compressed. -1 dBFS avoids clipping after MP3 or Vorbis. */
const CEILING = 0.89
const BEND = 0.6
const STEPS = 12
const CLOSE = 0.1

/** Length of a block in seconds, and of the hop (ITU-R BS.1770-4, annex 1). */
const BLOCK = 0.4
const HOP = 0.1

/**
 * Integrated loudness in LUFS of one channel or two (ITU-R BS.1770-4: K weighting, blocks of 400 ms that overlap by three quarters, gates at -70 LUFS
 * and 10 LU below the mean). Shorter sounds are one block; silence is -Infinity.
 */
export function loudnessOf(channels: readonly Float32Array[], rate: number): number {
  const frames = channels[0]?.length ?? 0
  const hop = Math.round(HOP * rate)
  const hops = Math.max(1, Math.floor(frames / hop))
  // The power of each tenth of a second, summed over the channels.
  const powers = new Float64Array(hops)
  for (const channel of channels) addPowers(channel, rate, { powers, hop: frames < hop ? frames : hop })
  const perBlock = Math.min(hops, Math.round(BLOCK / HOP))
  const blocks: number[] = []
  for (let first = 0; first + perBlock <= hops; first++) {
    let sum = 0
    for (let at = first; at < first + perBlock; at++) sum += powers[at] ?? 0
    blocks.push(sum / perBlock)
  }
  const loud = blocks.filter((power) => lufs(power) > -70)
  if (loud.length === 0) return -Infinity
  const gate = lufs(mean(loud)) - 10
  return lufs(mean(loud.filter((power) => lufs(power) > gate)))
}

/**
 * Adjusts a sound to `TARGET`, in place. Samples above -1 dBFS are compressed smoothly, and the rest is raised until
 * the loudness matches. Returns LUFS.
 */
export function levelled(channels: readonly Float32Array[], rate: number): number {
  let measured = loudnessOf(channels, rate)
  if (measured === -Infinity) return measured
  let gain = TARGET - measured
  const peak = Math.max(...channels.map(peakOf))
  if (peak * 10 ** (gain / 20) <= BEND) {
    for (const channel of channels) scale(channel, gain)
    return TARGET
  }
  const sources = channels.map((channel) => channel.slice())
  for (let step = 0; step < STEPS; step++) {
    for (const [index, channel] of channels.entries()) bend(channel, sources[index] ?? channel, gain)
    measured = loudnessOf(channels, rate)
    if (Math.abs(TARGET - measured) < CLOSE) break
    gain = Math.min(gain + TARGET - measured, 60)
  }
  return measured
}

function bend(target: Float32Array, source: Float32Array, gain: number): void {
  const factor = 10 ** (gain / 20)
  const room = CEILING - BEND
  for (let at = 0; at < target.length; at++) {
    const sample = (source[at] ?? 0) * factor
    const size = Math.abs(sample)
    target[at] = size <= BEND ? sample : Math.sign(sample) * (BEND + room * Math.tanh((size - BEND) / room))
  }
}

function scale(channel: Float32Array, gain: number): void {
  const factor = 10 ** (gain / 20)
  for (let at = 0; at < channel.length; at++) channel[at] = (channel[at] ?? 0) * factor
}

export function peakOf(channel: Float32Array): number {
  let peak = 0
  for (const sample of channel) if (Math.abs(sample) > peak) peak = Math.abs(sample)
  return peak
}

function addPowers(channel: Float32Array, rate: number, { powers, hop }: { readonly powers: Float64Array; readonly hop: number }): void {
  const [[b0, b1, b2, a1, a2], [c1, c2]] = weighting(rate)
  let [s1, s2, t1, t2] = [0, 0, 0, 0]
  const end = powers.length * hop
  for (let at = 0, block = 0, within = 0, sum = 0; at < end; at++) {
    const sample = channel[at] ?? 0
    const shelved = b0 * sample + s1
    s1 = b1 * sample - a1 * shelved + s2
    s2 = b2 * sample - a2 * shelved
    const weighted = shelved + t1
    t1 = -2 * shelved - c1 * weighted + t2
    t2 = shelved - c2 * weighted
    sum += weighted * weighted
    if (++within === hop) {
      powers[block] = (powers[block] ?? 0) + sum / hop
      block++
      within = 0
      sum = 0
    }
  }
}

type Shelf = readonly [number, number, number, number, number]

/**
 * The two filters of K weighting at any rate, from the analogue values of the BS.1770 table for 48 kHz: a shelf of 4
 * dB, and a high pass (1, -2, 1).
 */
function weighting(rate: number): readonly [Shelf, readonly [number, number]] {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate)
  const q = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const whole = 1 + k / q + k * k
  const shelf: Shelf = [
    (high + (band * k) / q + k * k) / whole,
    (2 * (k * k - high)) / whole,
    (high - (band * k) / q + k * k) / whole,
    (2 * (k * k - 1)) / whole,
    (1 - k / q + k * k) / whole,
  ]
  const low = Math.tan((Math.PI * 38.13547087602444) / rate)
  const lowQ = 0.5003270373238773
  const rest = 1 + low / lowQ + low * low
  return [shelf, [(2 * (low * low - 1)) / rest, (1 - low / lowQ + low * low) / rest]]
}

function lufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
