import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import type { Cancel } from '../runtime/cancel.js'
import type {
  AsideOptions,
  GatherOptions,
  HandlerContext,
  HandlerContribution,
  LiveProvider,
  PortAnswer,
  SettingValues,
  TObject,
} from '../sdk/index.js'
import type { CallState, TryUse } from './call.js'

/** The parts of a request that a context uses. */
export interface ContextScope {
  readonly call: CallState
  readonly cancel: Cancel
  /** The nesting depth in ports of the code that gets this context; -1 for a handler. */
  readonly depth: number
  /** The handler that gets it, with the settings of its plugin; none for a provider. */
  readonly handler?: HandlerContribution
  readonly settings?: SettingValues
  /** The plugin of that handler. */
  readonly plugin?: string
  /** False when results of its port calls are not part of the capability's own answer; by default a handler's are. */
  readonly direct?: boolean | undefined
  /** The step of this code, recorded in the attempts of the ports it calls; none for the call's own handler. */
  readonly under?: string | undefined
  /** It works on an optional part of the call. */
  readonly optional?: boolean | undefined
  /** Vendor use of the provider's try; none for a handler. */
  readonly tryUse?: TryUse | undefined
  /** It belongs to a clean-up, after the call has ended. */
  readonly cleaningUp?: true
}

/** The scope of one run of plugin code. */
export interface PluginScope extends ContextScope {
  /** Null for a handler. */
  readonly provider: LoadedProvider | null
}

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
