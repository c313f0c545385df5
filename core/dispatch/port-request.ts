import type { Cancel } from '../runtime/cancel.js'
import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import type { AsideOptions, GatherOptions, HandlerContext, LiveProvider, PortAnswer, SettingValues, TObject } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { LentScope } from './context-scope.js'

/** A request to a port by the code that uses it. */
export interface PortRequest {
  readonly call: CallState
  readonly cancel: Cancel
  readonly depth: number
  readonly portId: string
  /** Not yet checked; defaults are filled in. */
  readonly given: unknown
  readonly only?: string | undefined
  /** Whether its answer is part of the capability's own; by default it is when no port stands above. */
  readonly direct?: boolean | undefined
  /** The capability whose handler asks: of its own port that reaches the vendors. */
  readonly asker?: string | undefined
  readonly under?: string | undefined
  /** Its answer is part of something that the call can do without, and ends within a time that the plugin chose. */
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
  /** How many ports stand above this one. */
  readonly depth: number
  /** Ask this vendor alone. */
  readonly only?: string | undefined
  readonly direct?: boolean | undefined
  /** The step that asks, as attempts say it; none for the call's own capability. */
  readonly under?: string | undefined
  readonly optional?: boolean | undefined
}

/** A vendor's result. */
export interface PortResult {
  readonly provider: string
  readonly data: unknown
}

/** Work that its call can do without. */
export interface AsideRequest<T> extends AsideOptions {
  readonly task: (context: HandlerContext<SettingValues>) => Promise<T>
}

/** A live provider of a port. */
export interface OfferedProvider {
  readonly provider: LoadedProvider
  readonly suspended: boolean
  /** Its place among the live ones. */
  readonly order: number
  /** Takes an input that is not checked yet. */
  readonly serves: (given: unknown) => boolean
}

/** The same as plugins see it. */
export function liveProvider<I extends TObject>({ provider: { vendor }, suspended, order, serves }: OfferedProvider): LiveProvider<I> {
  return { id: vendor.id, title: vendor.title, suspended, order, serves }
}

/** Whether the vendor that answers a request counts as one that the caller's answer was made of. */
export function isDirect({ direct, depth }: Pick<CheckedPortRequest, 'direct' | 'depth'>): boolean {
  return direct ?? depth === 0
}

/** The ports of the registry in force. */
export interface Ports {
  invoke(request: PortRequest): Promise<PortResult>
  gather(request: GatherRequest): Promise<PortAnswer<unknown>[]>
  aside<T>(scope: LentScope, request: AsideRequest<T>): Promise<T | null>
  live(portId: string, asker?: string): boolean
  /** The live providers, in the order in force. */
  offered(portId: string): OfferedProvider[]
}
