import type { Cancel } from '../runtime/cancel.js'
import type { HandlerContribution, SettingValues } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { TryUse } from './vendor-use.js'
import type { LoadedProvider } from '../loader/types.js'

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
