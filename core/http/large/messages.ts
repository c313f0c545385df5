import type { Problem, ValidationItem } from '../../problems/problem.js'
import type { Detached } from '../../runtime/detach.js'

/** Requests to the worker: parse a body, then check or discard it. It holds one body at a time. */
export type ToBodyWorker =
  | {
      readonly kind: 'open'
      /** The first `length` bytes are the body. */
      readonly buffer: ArrayBuffer
      readonly length: number
      /** The other parts of the fingerprint; null when none is needed. */
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

/** A refusal for transfer between threads. */
export interface SentProblem {
  readonly slug: Problem['slug']
  readonly detail: string
  /** The remedy where it differs from the catalogue's. */
  readonly action: string | null
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
