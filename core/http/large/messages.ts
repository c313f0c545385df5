import type { Problem, ValidationItem } from '../../problems/problem.js'

/** A long string of a value that is sent between threads: where it belongs, and where its characters stand in the buffer. */
export interface DetachedString {
  readonly path: readonly (string | number)[]
  /** One byte a character, else two. */
  readonly latin1: boolean
  readonly from: number
  readonly to: number
}

/** A value whose long strings were taken out: they are moved between threads and not copied. */
export interface Detached {
  readonly value: unknown
  readonly strings: readonly DetachedString[]
  readonly buffer: ArrayBuffer
}

/** What the worker is asked for: to read a body, then to check what it read, or to forget it. It has one body at a time. */
export type ToBodyWorker =
  | {
      readonly kind: 'open'
      /** The first `length` bytes are the body. */
      readonly buffer: ArrayBuffer
      readonly length: number
      /** What a fingerprint is made of beside the body; null when none is wanted. */
      readonly request: { readonly method: string; readonly path: string } | null
      /** The body is one of `/v1/agent`. */
      readonly agent: boolean
    }
  | {
      readonly kind: 'check'
      /** The JSON text of a schema. */
      readonly schema: string
      readonly at: 'body' | 'params'
    }
  | { readonly kind: 'forget' }

/** A refusal as it is sent between threads. */
export interface SentProblem {
  readonly slug: Problem['slug']
  readonly detail: string
  readonly validation: readonly ValidationItem[] | null
}

export interface Opened {
  readonly fingerprint: string | null
  /** The capability that a body of `/v1/agent` names, else empty. */
  readonly capability: string
}

export type FromBodyWorker =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'checked'; readonly input: Detached }
  | { readonly kind: 'refused'; readonly problem: SentProblem }
  | { readonly kind: 'failed'; readonly internal: string }
