import type { Design } from './designs.js'
import type { Style } from './money.js'
import type { Line, SumRow } from './sums.js'

/** One paper of the set: what it prints, and the facts that are right. */
export interface Paper {
  readonly id: string
  readonly language: string
  readonly design: Design
  readonly title: string
  readonly seller: readonly string[]
  /** A label before the receiver, or nothing. */
  readonly to: string
  readonly buyer: readonly string[]
  readonly number: string
  readonly date: string
  readonly due: string | null
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly headings: readonly string[]
  readonly lines: readonly Line[]
  readonly sums: readonly SumRow[]
  readonly currency: string | null
  readonly style: Style
  readonly sign: string
  readonly signFirst?: boolean
  readonly signedSums?: 'all' | 'strong'
  readonly signedLines?: boolean
  /** The only rate of the paper; null where there are several, or none is printed. */
  readonly rate: number | null
}

/** A line of goods. */
export const line = (text: string, quantity: number, price: number): Line => ({ text, quantity, price })
