import type { Step } from '../contract.js'

export interface Size {
  readonly width: number
  readonly height: number
}

type Resize = Extract<Step, { op: 'resize' }>

/**
 * The size of a picture after `resize`, checked before any processing. `fixed`: it has an intrinsic size, which is
 * not exceeded without `enlarge`.
 */
export function resized({ width, height }: Size, step: Resize, fixed: boolean): Size {
  if (step.width === undefined && step.height === undefined) return { width, height }
  const { width: across = Infinity, height: down = Infinity, fit = 'inside' } = step
  const both = Number.isFinite(across) && Number.isFinite(down)
  if (both && (fit === 'fill' || fit === 'contain' || fit === 'cover')) return { width: across, height: down }
  const factor = both && fit === 'outside' ? Math.max(across / width, down / height) : Math.min(across / width, down / height)
  const scale = fixed && step.enlarge !== true ? Math.min(1, factor) : factor
  return { width: scaled(width, scale), height: scaled(height, scale) }
}

function scaled(side: number, scale: number): number {
  return Math.max(1, Math.round(side * scale))
}
