import type { Cancel } from '../runtime/cancel.js'
import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import type { AsideOptions, GatherOptions, HandlerContext, LiveProvider, PortAnswer, SettingValues, TObject } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { PluginScope } from './context-scope.js'

/** A request to a port by the code that uses it. */
export interface PortRequest {
  readonly call: CallState
  readonly cancel: Cancel
  readonly depth: number
  readonly portId: string
  /** Not yet checked; defaults are filled in. */
  readonly given: unknown
  readonly only?: string | undefined
  /** Whether its answer is part of the capability's own; by default it is at depth 0. */
  readonly direct?: boolean | undefined
  /** The capability whose handler makes the request: on its own port that reaches the vendors. */
  readonly requester?: string | undefined
  readonly under?: string | undefined
  /** It serves an optional part of the call, with a time limit that the plugin chose. */
  readonly optional?: boolean | undefined
}

/** A request to several vendors of a port. */
export interface GatherRequest extends Omit<PortRequest, 'only'> {
  readonly options?: GatherOptions<unknown>
}

/** The same once its port is known and its input checked. */
export interface CheckedPortRequest {
  readonly call: CallState
  readonly port: LoadedPort
  /** Checked against the port's input schema and frozen. */
  readonly input: unknown
  readonly cancel: Cancel
  /** The nesting depth in ports. */
  readonly depth: number
  /** Call this vendor only. */
  readonly only?: string | undefined
  readonly direct?: boolean | undefined
  /** The step that makes the request, recorded in attempts; none for the call's own capability. */
  readonly under?: string | undefined
  readonly optional?: boolean | undefined
}

/** A vendor's result. */
export interface PortResult {
  readonly provider: string
  readonly data: unknown
}

/** Optional work of a call. */
export interface AsideRequest<T> extends AsideOptions {
  readonly task: (context: HandlerContext<SettingValues>) => Promise<T>
}

/** A live provider of a port. */
export interface OfferedProvider {
  readonly provider: LoadedProvider
  readonly suspended: boolean
  /** Its place among the live ones. */
  readonly order: number
  /** Accepts an unchecked input. */
  readonly serves: (given: unknown) => boolean
}

/** The same as plugins see it. */
export function liveProvider<I extends TObject>({ provider: { vendor }, suspended, order, serves }: OfferedProvider): LiveProvider<I> {
  return { id: vendor.id, title: vendor.title, suspended, order, serves }
}

/** Whether the vendor that answers a request counts as a source of the caller's answer. */
export function isDirect({ direct, depth }: Pick<CheckedPortRequest, 'direct' | 'depth'>): boolean {
  return direct ?? depth === 0
}

/** The ports of the current registry. */
export interface Ports {
  invoke(request: PortRequest): Promise<PortResult>
  gather(request: GatherRequest): Promise<PortAnswer<unknown>[]>
  aside<T>(scope: PluginScope, request: AsideRequest<T>): Promise<T | null>
  live(portId: string, requester?: string): boolean
  /** The live providers, in the current order. */
  offered(portId: string): OfferedProvider[]
}
