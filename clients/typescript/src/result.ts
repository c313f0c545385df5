import type { Capabilities, Metadata } from './generated.js'
import type { Progress, RequestOptions } from './transport.js'

export type CapabilityId = keyof Capabilities
/** Parameters of a capability. */
export type Params<K extends CapabilityId> = Capabilities[K]['params']
/** What a capability returns as `data`. */
export type Data<K extends CapabilityId> = Capabilities[K]['data']

/** Calls a capability. */
export type Method<K extends CapabilityId> = (params: Params<K>, options?: RequestOptions) => Promise<Result<Data<K>>>

/** Capabilities whose method has a name of its own. */
interface Renamed {
  'emails.verify': 'verifyEmail'
  'emails.find': 'findEmails'
}
type Space<K> = K extends `${infer N}.${string}` ? N : never
type Camel<S> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<B>}` : S

/** A method for each capability: `images.remove_background` is `images.removeBackground`. */
export type Methods = {
  [K in CapabilityId as K extends keyof Renamed ? Renamed[K] : K extends `${string}.${string}` ? never : K]: Method<K>
} & {
  [N in Space<Exclude<CapabilityId, keyof Renamed>>]: { [K in CapabilityId as K extends `${N}.${infer M}` ? Camel<M> : never]: Method<K> }
}

/** The envelope of an answer that succeeded. */
export interface Envelope<T> {
  readonly success: true
  readonly data: T
  readonly error: null
  readonly metadata: Metadata
  readonly credits_used: number
}

/** The result of a call. */
export class Result<T> {
  /** The envelope as it came, with fields unknown to this library. */
  readonly raw: Envelope<T>
  readonly headers: Headers

  /** @internal */
  constructor(raw: Envelope<T>, headers: Headers) {
    this.raw = raw
    this.headers = headers
  }

  get data(): T {
    return this.raw.data
  }

  get metadata(): Metadata {
    return this.raw.metadata
  }

  /** Credits that the call cost. */
  get credits_used(): number {
    return this.raw.credits_used
  }

  get request_id(): string {
    return this.raw.metadata.request_id
  }

  /** Credits of the account after the call; null where the gateway does not say. */
  get balance(): number | null {
    const header = this.headers.get('x-credits-balance')
    return this.raw.metadata.credits_balance ?? (header === null ? null : Number(header))
  }

  /** `JSON.stringify` writes the envelope. */
  toJSON(): Envelope<T> {
    return this.raw
  }
}

/** A step of a streamed call, or its end. */
export type StreamEvent<T> = ({ readonly event: 'progress' } & Progress) | { readonly event: 'result'; readonly result: Result<T> }
