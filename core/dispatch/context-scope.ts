import type { Cancel } from '../runtime/cancel.js'
import type { HandlerContribution, SettingValues } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { TryUse } from './vendor-use.js'
import type { LoadedProvider } from '../loader/types.js'

/** What of a question a context needs. */
export interface ContextScope {
  readonly call: CallState
  readonly cancel: Cancel
  /** How many ports stand above the code that gets this context; -1 for a handler. */
  readonly depth: number
  /** The handler that gets it, with the settings of its plugin; none for a provider. */
  readonly handler?: HandlerContribution
  readonly settings?: SettingValues
  /** The plugin of that handler. */
  readonly plugin?: string
  /** False when what it asks ports for is no part of the capability's own answer; by default it is for a handler. */
  readonly direct?: boolean | undefined
  /** The step that this code is, as attempts of the ports it asks say it; none for the call's own handler. */
  readonly under?: string | undefined
  /** It works at a part that its call can do without. */
  readonly optional?: boolean | undefined
  /** What the try of the provider that gets it had its vendor do; none for a handler. */
  readonly tryUse?: TryUse | undefined
  /** It is lent to work behind a call that has ended. */
  readonly cleaningUp?: true
}

export interface LentScope extends ContextScope {
  /** Null for a handler. */
  readonly provider: LoadedProvider | null
}
