import type { Format } from './formats/format.js'
import { anyMakes, type Engine } from './pairs/pairs.js'
import { pathsOf } from './plan.js'

/** How a format is converted from another. */
export interface Reached {
  readonly format: string
  readonly engines: string[]
  readonly steps: number
  readonly through: string | null
}

/** Targets of a format, by the path that is tried first. */
export function matrixOf(engines: readonly Engine[], { id: from }: Format, targets: readonly Format[]): Reached[] {
  const can = (one: string, other: string): boolean => anyMakes(engines, one, other)
  return targets.flatMap(({ id: to }) => {
    const [first] = pathsOf(from, to, can)
    if (first === undefined) return []
    const direct = first.length === 1 ? engines.filter((engine) => anyMakes([engine], from, to)).map(({ vendor }) => vendor) : []
    return [{ format: to, engines: direct, steps: first.length, through: first.length === 2 ? first[0].to : null }]
  })
}
