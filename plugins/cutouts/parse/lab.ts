/** A colour in CIE L*a*b*, D65. */
export type Lab = readonly [number, number, number]

/** Size of the cube root table: one step is far below a visible difference. */
const STEPS = 4096

/**
 * Lookup tables for converting many pixels: sRGB to linear light, and linear light to the cube roots of Lab (CIE 15).
 */
export class LabTables {
  readonly #light = Float32Array.from({ length: 256 }, (_, value) => lightOf(value / 255))
  readonly #roots = Float32Array.from({ length: STEPS + 1 }, (_, step) => rootOf(step / STEPS))

  of(red: number, green: number, blue: number): Lab {
    const [r, g, b] = [this.#light[red] ?? 0, this.#light[green] ?? 0, this.#light[blue] ?? 0]
    const x = this.#root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    const y = this.#root(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
    const z = this.#root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }

  #root(light: number): number {
    return this.#roots[Math.round(Math.min(1, light) * STEPS)] ?? 1
  }
}

/** Colour difference ΔE*ab (1976); about 2 is just visible. */
export function distance([l, a, b]: Lab, [l2, a2, b2]: Lab): number {
  return Math.hypot(l - l2, a - a2, b - b2)
}

function lightOf(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function rootOf(light: number): number {
  return light > 216 / 24389 ? Math.cbrt(light) : ((24389 / 27) * light + 16) / 116
}
